/**
 * The hosted page's script: checks the entries, pays, shows the question of the bank or wallet,
 * and returns to the shop.
 */
(() => {
  const get = (id) => document.getElementById(id);
  const form = get('payment');
  const button = get('pay');
  const alertBox = get('alert');
  const { session, amount } = form.dataset;
  // Relative, because a proxy may serve the page under a prefix.
  const api = new URL('../../v1/', location.href);
  const valueOf = (id) => get(id)?.value.trim() ?? '';
  const digitsOf = (text) => text.replaceAll(/\D/g, '');
  const boxOf = {
    number: 'number',
    exp_month: 'expiry',
    exp_year: 'expiry',
    cvc: 'cvc',
  };
  // The API's messages are English, so the page chooses its own words by the code.
  const declined = 'La carta è stata rifiutata. Prova con un’altra carta.';
  const says = {
    card_declined: declined,
    insufficient_funds:
      'La carta è stata rifiutata: i fondi non bastano. Prova con un’altra carta.',
    card_velocity_exceeded:
      'La carta è stata rifiutata: hai superato il suo limite. Prova con un’altra carta.',
    expired_card: 'La carta è scaduta. Prova con un’altra carta.',
    incorrect_cvc: 'Il codice di sicurezza della carta non è corretto.',
    processing_error: 'Si è verificato un errore nell’elaborare la carta. Riprova tra poco.',
    incorrect_number: 'Il numero della carta non è corretto.',
    invalid_expiry_month: 'Il mese di scadenza non è valido: controlla la data.',
    invalid_expiry_year: 'L’anno di scadenza della carta non è valido.',
    invalid_cvc: 'Il codice di sicurezza non è valido: controlla quante cifre ha.',
    test_mode_live_card:
      'Qui si paga solo con le carte di prova: questa non lo è, e non è stata memorizzata.',
    payment_intent_authentication_failure:
      'Il pagamento non è stato confermato presso la banca. Riprova o scegli un altro metodo.',
    payment_method_customer_decline:
      'Il pagamento è stato annullato. Riprova o scegli un altro metodo.',
    rate_limit: 'Troppi tentativi con questa pagina di pagamento.',
  };
  const wordsFor = (error) =>
    says[error?.decline_code] ??
    says[error?.code] ??
    (error?.param?.startsWith('custom_fields') ? 'Controlla quello che hai scritto.' : declined);
  let question = null;

  const methodOf = () =>
    form.querySelector('[name="method"]:checked')?.value ??
    form.querySelector('[data-method]').dataset.method;
  const visible = (input) => !input.closest('[hidden]') && input.name !== 'method';
  const inputs = () => [...form.querySelectorAll('input')].filter(visible);

  for (const radio of form.querySelectorAll('[name="method"]'))
    radio.addEventListener('change', showMethod);
  showMethod();
  get('number')?.addEventListener('input', ({ target }) => {
    if (target.selectionStart === target.value.length) groupNumber(target);
  });
  get('number')?.addEventListener('change', ({ target }) => groupNumber(target));
  get('expiry')?.addEventListener('input', ({ target, inputType }) => {
    if (inputType === 'deleteContentBackward') return;
    target.value = expiryOf(target.value, false);
  });
  get('expiry')?.addEventListener('change', ({ target }) => {
    target.value = expiryOf(target.value, true);
  });
  for (const input of form.querySelectorAll('input')) {
    if (input.name !== 'method') input.addEventListener('input', () => showError(input, ''));
  }
  for (const use of document.querySelectorAll('.use'))
    use.addEventListener('click', () => fillIn(use.dataset.value));

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void pay();
  });
  get('approve')?.addEventListener('click', () => void answer('approve'));
  get('refuse')?.addEventListener('click', () => void answer('refuse'));
  // The browser's back button can restore the page in the middle of a payment.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  if (form.dataset.next) ask(JSON.parse(form.dataset.next));
  watchTime();

  async function pay() {
    say(alertBox, '');
    const wrong = inputs().filter((input) => {
      const message = complaintOf(input);
      showError(input, message);
      return message !== '';
    });
    if (wrong.length > 0) {
      wrong[0].focus();
      return;
    }
    setBusy(true);
    try {
      const type = methodOf();
      const method = await send('payment_methods', methodData(type));
      proceed(
        await send(`payment_pages/${session}/confirm`, {
          expected_amount: Number(amount),
          payment_method: method.id,
          ...contacts(),
          ...(get('phone') && { phone: valueOf('phone') }),
          name: type === 'card' ? valueOf('name') : '',
          custom_fields: customFields(),
        }),
      );
    } catch (error) {
      await explain(error);
    }
  }

  /** Sends the buyer's answer to the bank or wallet. */
  async function answer(outcome) {
    say(get('step-alert'), '');
    setAsking(true);
    try {
      proceed(
        await send(`payment_pages/${session}/confirm`, {
          next_action: question.id,
          outcome,
          expected_amount: Number(amount),
        }),
      );
    } catch (error) {
      if (await isOver(error)) return;
      setAsking(false);
      if (error.status !== 402 && error.status !== 400) {
        say(
          get('step-alert'),
          'Non siamo riusciti a completare il pagamento. Controlla la connessione e riprova: non pagherai due volte.',
        );
        get('step-alert').focus();
        return;
      }
      backToForm(error.status === 402 ? error.message : 'Questa conferma non vale più. Riprova.');
    }
  }

  function proceed(page) {
    if (page.next_action) {
      setBusy(false);
      ask(page.next_action);
    } else location.assign(page.success_url);
  }

  function ask(next) {
    question = next;
    const wallet = form
      .querySelector(`[name="method"][value="${next.payment_method_type}"]`)
      ?.closest('label')
      .textContent.trim();
    get('step-title').textContent =
      next.type === 'authenticate'
        ? 'Conferma con la tua banca'
        : `Paga con ${wallet ?? 'il tuo conto'}`;
    get('step-text').textContent =
      next.type === 'authenticate'
        ? 'La banca della carta chiede se il pagamento è tuo (3-D Secure). In questa prova decidi tu come va a finire.'
        : `Qui si aprirebbe la pagina di ${wallet ?? 'chi gestisce il conto'}. In questa prova decidi tu come va a finire.`;
    get('pay-panel').hidden = true;
    get('step').hidden = false;
    setAsking(false);
    get('step-title').focus();
  }

  function backToForm(message) {
    question = null;
    get('step').hidden = true;
    get('pay-panel').hidden = false;
    say(alertBox, message);
    alertBox.focus();
  }

  /** Asks whether the session is paid or has expired, because the answer may have been lost. */
  async function isOver(failure) {
    if (failure.status && failure.status !== 400 && failure.status < 500) return false;
    return goOnIfOver(await send(`payment_pages/${session}`).catch(() => null));
  }

  function goOnIfOver(page) {
    if (page?.status === 'complete') location.assign(page.success_url);
    else if (page?.status === 'expired') location.reload();
    else return false;
    return true;
  }

  async function explain(failure) {
    if (await isOver(failure)) return;
    setBusy(false);
    const custom = /^custom_fields\[(\w+)\]$/.exec(failure.param ?? '');
    const box = get(custom ? `custom-${custom[1]}` : boxOf[failure.param]);
    if (box) {
      showError(box, failure.message);
      box.focus();
      return;
    }
    say(
      alertBox,
      failure.status === 402 || failure.status === 429
        ? failure.message
        : 'Non siamo riusciti a completare il pagamento. Controlla la connessione e riprova: non pagherai due volte.',
    );
    alertBox.focus();
  }

  async function send(path, body) {
    const reply = await fetch(
      new URL(path, api),
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          },
    );
    const json = await reply.json();
    if (!reply.ok)
      throw Object.assign(new Error(wordsFor(json.error)), {
        status: reply.status,
        param: json.error?.param,
      });
    return json;
  }

  function methodData(type) {
    if (type !== 'card') return { type, billing_details: contacts() };
    const [month, year] = expiryOf(valueOf('expiry'), true).split('/');
    return {
      type,
      card: {
        number: digitsOf(valueOf('number')),
        exp_month: Number(month),
        exp_year: Number(year),
        cvc: valueOf('cvc'),
      },
      billing_details: { ...contacts(), name: valueOf('name') },
    };
  }

  function contacts() {
    return { email: valueOf('email') };
  }

  function customFields() {
    return Object.fromEntries(
      [...form.querySelectorAll('[data-custom]')].map((input) => [
        input.dataset.custom,
        input.value.trim(),
      ]),
    );
  }

  function showMethod() {
    const chosen = methodOf();
    for (const part of document.querySelectorAll('[data-method]'))
      part.hidden = part.dataset.method !== chosen;
    say(alertBox, '');
  }

  /** Groups the digits by four. */
  function groupNumber(target) {
    target.value = digitsOf(target.value)
      .slice(0, 19)
      .replaceAll(/(.{4})(?=.)/g, '$1 ');
  }

  /** `12/34` from `1234`, `12 / 34`, `12-2034`, `4/34`. `done`: the entry is complete. */
  function expiryOf(text, done) {
    const parts = text
      .trimStart()
      .split(/\s*[/.\s-]+\s*/)
      .map(digitsOf);
    const [month, year] =
      parts.length > 1 && /^\d{1,2}$/.test(parts[0])
        ? [parts[0].padStart(2, '0'), parts.slice(1).join('')]
        : [digitsOf(text).slice(0, 2), digitsOf(text).slice(2)];
    // A first digit above one is already the month.
    const full = year === '' && /^[2-9]$/.test(month) ? `0${month}` : month;
    const short =
      year.length === 4 && (done || year.startsWith('20')) ? year.slice(2) : year.slice(0, 4);
    return full.length === 2 && (short !== '' || !done) ? `${full}/${short}` : full;
  }

  function fillIn(number) {
    const texts = {
      number,
      expiry: '12/34',
      cvc: '123',
      name: valueOf('name') || 'Carta di prova',
    };
    for (const [id, text] of Object.entries(texts)) {
      get(id).value = text;
      showError(get(id), '');
    }
    button.focus();
  }

  function complaintOf(input) {
    const value = input.value.trim();
    if (value === '') return input.required ? 'Compila questo campo.' : '';
    if (input.type === 'email' && (input.validity.typeMismatch || !/\.[^.]+$/.test(value)))
      return 'Scrivi un indirizzo e-mail valido.';
    if (input.id === 'expiry' && !/^\d{2}\/\d{2}$/.test(expiryOf(value, true)))
      return 'Scrivi mese e anno, per esempio 04/29.';
    return '';
  }

  function showError(input, message) {
    const place = get(`${input.id}-error`);
    place.textContent = message;
    place.hidden = message === '';
    if (message === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  }

  function say(box, message) {
    box.textContent = message;
    box.hidden = message === '';
  }

  function setBusy(busy) {
    button.disabled = busy;
    button.querySelector('.label').hidden = busy;
    button.querySelector('.busy').hidden = !busy;
  }

  function setAsking(busy) {
    for (const id of ['approve', 'refuse']) get(id).disabled = busy;
  }

  /**
   * Shows the last ten minutes, and has them read aloud at five and at one. Notices within
   * seconds that the session has ended, by time or in another tab.
   */
  function watchTime() {
    const total = Number(form.dataset.left);
    const began = performance.now();
    const timer = get('timer');
    let said = 0;
    let looked = began;
    setInterval(() => {
      const left = Math.ceil(total - (performance.now() - began) / 1000);
      timer.hidden = left > 600;
      if (left <= 600)
        timer.textContent =
          left > 0
            ? `Hai ancora ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} per pagare`
            : 'Il tempo per pagare è finito';
      const mark = left <= 60 ? 2 : left <= 300 ? 1 : 0;
      if (mark > said) {
        said = mark;
        get('timer-said').textContent =
          mark === 2 ? 'Ti resta un minuto per pagare.' : 'Ti restano cinque minuti per pagare.';
      }
      const now = performance.now();
      if (document.hidden || button.disabled || now - looked < (left <= 0 ? 2000 : 15_000)) return;
      looked = now;
      void send(`payment_pages/${session}`).then(goOnIfOver, () => {});
    }, 1000);
  }
})();
