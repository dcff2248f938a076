/** The hosted page at work: checks what was typed, turns the card into a payment method, confirms, and goes on to the shop. */
(() => {
  const form = document.getElementById('payment');
  const button = document.getElementById('pay');
  const alertBox = document.getElementById('alert');
  const { session, amount } = form.dataset;
  // Relative, because the page may be reached through a door with a path of its own.
  const api = new URL('../../v1/', location.href);
  const get = (id) => document.getElementById(id);
  const valueOf = (id) => get(id)?.value.trim() ?? '';
  const digitsOf = (text) => text.replaceAll(/\D/g, '');
  const boxOf = { number: 'number', exp_month: 'expiry', exp_year: 'expiry', cvc: 'cvc' };

  get('number')?.addEventListener('input', ({ target }) => {
    const atEnd = target.selectionStart === target.value.length;
    if (atEnd) target.value = digitsOf(target.value).slice(0, 19).replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  });
  get('expiry')?.addEventListener('input', ({ target, inputType }) => {
    const digits = digitsOf(target.value).slice(0, 4);
    if (digits.length > 2) target.value = `${digits.slice(0, 2)}/${digits.slice(2)}`;
    else if (digits.length === 2 && inputType !== 'deleteContentBackward') target.value = `${digits}/`;
  });
  for (const input of form.querySelectorAll('input, select')) input.addEventListener('input', () => showError(input, ''));
  for (const use of document.querySelectorAll('.use')) {
    use.addEventListener('click', () => {
      get('number').value = use.dataset.number;
      get('expiry').value = '12/34';
      get('cvc').value = '123';
      if (valueOf('name') === '') get('name').value = 'Carta di prova';
      for (const id of ['number', 'expiry', 'cvc', 'name']) showError(get(id), '');
      button.focus();
    });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void pay();
  });
  // Coming back with the browser's arrow shows a page frozen in mid-payment.
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });

  async function pay() {
    say('');
    const wrong = [...form.querySelectorAll('input, select')].filter((input) => {
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
      const method = get('number') ? await send('payment_methods', cardOf()) : null;
      const page = await send(`payment_pages/${session}/confirm`, {
        expected_amount: Number(amount), ...(method ? { payment_method: method.id } : {}), ...contacts(), name: valueOf('name'), custom_fields: customFields(),
      });
      location.assign(page.success_url);
    } catch (error) {
      await explain(error);
    }
  }

  /** Whatever went wrong, the session itself knows whether it is paid. */
  async function explain(failure) {
    if (!failure.status || failure.status === 400 || failure.status >= 500) {
      const page = await send(`payment_pages/${session}`).catch(() => null);
      if (page?.status === 'complete') {
        location.assign(page.success_url);
        return;
      }
      if (page?.status === 'expired') {
        location.reload();
        return;
      }
    }
    setBusy(false);
    const custom = /^custom_fields\[(\w+)\]$/.exec(failure.param ?? '');
    const box = get(custom ? `custom-${custom[1]}` : boxOf[failure.param]);
    if (box) {
      showError(box, failure.message);
      box.focus();
      return;
    }
    say(failure.status === 402 || failure.status === 429 ? failure.message : 'Non siamo riusciti a completare il pagamento. Controlla la connessione e riprova: non pagherai due volte.');
    alertBox.focus();
  }

  async function send(path, body) {
    const answer = await fetch(new URL(path, api), body === undefined ? {} : {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(json.error?.message), { status: answer.status, param: json.error?.param });
    return json;
  }

  function cardOf() {
    const [month, year] = valueOf('expiry').split('/');
    return {
      type: 'card',
      card: { number: digitsOf(valueOf('number')), exp_month: Number(month), exp_year: Number(year), cvc: valueOf('cvc') },
      billing_details: { ...contacts(), name: valueOf('name') },
    };
  }

  function contacts() {
    return Object.fromEntries(['email', 'phone'].filter((id) => get(id)).map((id) => [id, valueOf(id)]));
  }

  function customFields() {
    return Object.fromEntries([...form.querySelectorAll('[data-custom]')].map((input) => [input.dataset.custom, input.value.trim()]));
  }

  function complaintOf(input) {
    const value = input.value.trim();
    if (value === '') return input.required ? 'Compila questo campo.' : '';
    if (input.type === 'email' && (input.validity.typeMismatch || !/\.[^.]+$/.test(value))) return 'Scrivi un indirizzo e-mail valido.';
    if (input.type === 'tel' && !/^\+?[\d\s().-]{6,}$/.test(value)) return 'Scrivi un numero di telefono valido.';
    if (input.id === 'expiry' && !/^\d{2}\/\d{2}$/.test(value)) return 'Scrivi mese e anno, per esempio 04/29.';
    if (input.validity.tooShort) return `Servono almeno ${input.minLength} caratteri.`;
    if (input.validity.patternMismatch) return 'Usa solo cifre.';
    return '';
  }

  function showError(input, message) {
    const place = get(`${input.id}-error`);
    place.textContent = message;
    place.hidden = message === '';
    if (message === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  }

  function say(message) {
    alertBox.textContent = message;
    alertBox.hidden = message === '';
  }

  function setBusy(busy) {
    button.disabled = busy;
    button.querySelector('.label').hidden = busy;
    button.querySelector('.busy').hidden = !busy;
  }
})();
