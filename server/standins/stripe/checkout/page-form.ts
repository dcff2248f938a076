/** The form of the hosted page: contacts, payment methods, the confirmation by bank or wallet, and test cards to try. */
import { TEST_CARDS } from '#server/standins/stripe/payment/cards.ts';
import { TEST_IBANS } from '#server/standins/stripe/payment/ibans.ts';
import { factsOf, type MethodType } from '#server/standins/stripe/payment/method-types.ts';
import type { PaymentPage } from './page-shape.ts';
import { formatAmount, html, paragraph } from './page-text.ts';
import type { CustomField } from './session-build.ts';

/** What is offered for trying out, with what it does. */
const CARDS_TO_TRY: Record<string, string> = {
  '4242424242424242': 'Il pagamento riesce',
  '4000002760003184': 'La banca chiede una conferma (3-D Secure)',
  '4000000000000002': 'La carta è rifiutata',
  '4000000000009995': 'I fondi non bastano',
  '4000000000000127': 'Il codice di sicurezza è sbagliato',
  '4000008400001629': 'Conferma, poi la carta è rifiutata',
  '4000000000000259': 'Riesce, poi viene contestato',
};
const IBANS_TO_TRY: Record<string, string> = {
  IT40S0542811101000000123456: 'L’addebito riesce dopo qualche secondo',
  AT861904300235473202: 'L’addebito non va a buon fine',
};

/** `now` in unix seconds. */
export function checkoutForm(page: PaymentPage, now: number): string {
  const pays = page.amount_total > 0;
  const types = pays ? page.payment_method_types : [];
  const total = formatAmount(page.amount_total, page.currency);
  const label = pays ? `${page.submit_type === 'donate' ? 'Dona' : 'Paga'} ${total}` : 'Conferma';
  const next = page.next_action ? ` data-next="${html(JSON.stringify(page.next_action))}"` : '';
  const left = page.expires_at === null ? '' : ` data-left="${Math.max(0, page.expires_at - now)}"`;
  return `<section class="payment" aria-labelledby="payment-title">
<div id="pay-panel">
<h2 id="payment-title">${titleOf(types)}</h2>
<p class="timer" id="timer" role="timer" hidden></p>
<p class="unseen" id="timer-said" role="status"></p>
<noscript><p class="alert">Per pagare serve JavaScript: attivalo e ricarica la pagina.</p></noscript>
<form id="payment" novalidate data-session="${html(page.id)}" data-amount="${page.amount_total}"${next}${left}>
${contacts(page)}
${types.length > 1 ? chooser(types) : ''}
${types.map((type) => detailsOf(type, types.length === 1)).join('\n')}
<p class="alert" id="alert" role="alert" tabindex="-1" hidden></p>
<button type="submit" class="button" id="pay"><span class="label">${html(label)}</span><span class="busy" hidden>Un momento…</span></button>
${paragraph(page.custom_text.submit?.message)}
</form>
${types.includes('card') ? toTry('card', 'Carte di prova', 'Qui funzionano solo queste carte. Vanno bene qualunque scadenza futura e qualunque CVC di tre cifre.', cardsToTry()) : ''}
${types.includes('sepa_debit') ? toTry('sepa_debit', 'IBAN di prova', 'Qui funzionano solo questi conti.', ibansToTry()) : ''}
</div>
${pays ? stepPanel(total) : ''}
</section>`;
}

function titleOf(types: readonly MethodType[]): string {
  if (types.length === 0) return 'I tuoi dati';
  if (types.length > 1) return 'Pagamento';
  return types[0] === 'card' ? 'Paga con carta' : `Paga con ${factsOf(types[0]!).label}`;
}

function contacts(page: PaymentPage): string {
  return `<fieldset><legend>Contatti</legend>
${
  page.customer_email === null
    ? field({
        id: 'email',
        label: 'E-mail',
        attributes: 'type="email" autocomplete="email" inputmode="email" maxlength="512" required',
      })
    : `<p class="fixed"><span>E-mail</span> <strong>${html(page.customer_email)}</strong></p>`
}
${page.phone_number_collection.enabled ? field({ id: 'phone', label: 'Telefono', attributes: 'type="tel" autocomplete="tel" inputmode="tel" maxlength="40" required' }) : ''}
${page.custom_fields.map(customField).join('\n')}
</fieldset>`;
}

function chooser(types: readonly MethodType[]): string {
  return `<fieldset class="ways"><legend>Metodo di pagamento</legend>
${types.map((type, index) => `<label class="way"><input type="radio" name="method" value="${type}"${index === 0 ? ' checked' : ''}> <span>${html(factsOf(type).label)}</span></label>`).join('\n')}
</fieldset>`;
}

/** Shown while its method is the chosen one. */
function detailsOf(type: MethodType, only: boolean): string {
  const label = factsOf(type).label;
  const hidden = type === 'card' || only ? '' : ' hidden';
  if (type === 'card') {
    return `<fieldset data-method="card"${hidden}><legend>${only ? 'Carta' : 'Dati della carta'}</legend>
${field({ id: 'number', label: 'Numero della carta', attributes: 'inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="30" required' })}
<div class="pair">
${field({ id: 'expiry', label: 'Scadenza', attributes: 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/AA" maxlength="12" required' })}
${field({ id: 'cvc', label: 'CVC', attributes: 'inputmode="numeric" autocomplete="cc-csc" placeholder="123" maxlength="4" required' })}
</div>
${field({ id: 'name', label: 'Nome sulla carta', attributes: 'autocomplete="cc-name" maxlength="200" required' })}
</fieldset>`;
  }
  if (type === 'sepa_debit') {
    return `<fieldset data-method="sepa_debit"${hidden}><legend>Conto da addebitare</legend>
${field({ id: 'iban', label: 'IBAN', attributes: 'autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="IT40 S054 2811 …" maxlength="50" required' })}
${field({ id: 'holder', label: 'Intestatario del conto', attributes: 'autocomplete="name" maxlength="200" required' })}
<p class="note">Pagando autorizzi il negozio ad addebitare il tuo conto (SEPA). La conferma arriva dopo qualche giorno lavorativo.</p>
</fieldset>`;
  }
  return `<p class="note wallet" data-method="${type}"${hidden}>Dopo aver premuto il pulsante confermi il pagamento con ${html(label)}.</p>`;
}

/** What the bank or the wallet asks; its words come with the question. */
function stepPanel(total: string): string {
  return `<div id="step" hidden>
<h2 id="step-title" tabindex="-1"></h2>
<p id="step-text"></p>
<p class="total"><span>Importo</span><span class="price">${total}</span></p>
<p class="alert" id="step-alert" role="alert" tabindex="-1" hidden></p>
<div class="answers">
<button type="button" class="button" id="approve">Conferma il pagamento</button>
<button type="button" class="button second" id="refuse">Rifiuta</button>
</div>
</div>`;
}

function field(facts: {
  id: string;
  label: string;
  attributes: string;
  value?: string;
  optional?: boolean;
  control?: string;
}): string {
  const { id, label, attributes, value = '', optional = false, control } = facts;
  return `<div class="field"><label for="${html(id)}">${html(label)}${optional ? ' <small>(facoltativo)</small>' : ''}</label>
${control ?? `<input id="${html(id)}" name="${html(id)}" ${attributes} value="${html(value)}" aria-describedby="${html(id)}-error">`}
<p class="error" id="${html(id)}-error" hidden></p></div>`;
}

function customField(asked: CustomField): string {
  const id = `custom-${asked.key}`;
  const required = asked.optional ? '' : ' required';
  const facts = { id, label: asked.label.custom, optional: asked.optional };
  if (asked.dropdown) {
    const options = asked.dropdown.options.map(
      ({ label, value }) =>
        `<option value="${html(value)}"${value === asked.dropdown?.default_value ? ' selected' : ''}>${html(label)}</option>`,
    );
    return field({
      ...facts,
      attributes: '',
      control: `<select id="${html(id)}" name="${html(id)}" data-custom="${html(asked.key)}"${required} aria-describedby="${html(id)}-error"><option value="">Scegli…</option>${options.join('')}</select>`,
    });
  }
  const limits = asked.text ?? asked.numeric;
  const attributes = `data-custom="${html(asked.key)}" maxlength="${limits?.maximum_length ?? 255}"${limits?.minimum_length ? ` minlength="${limits.minimum_length}"` : ''}${asked.numeric ? ' inputmode="numeric" pattern="[0-9]*"' : ''}${required}`;
  return field({ ...facts, attributes, value: limits?.default_value ?? '' });
}

function toTry(type: MethodType, title: string, text: string, items: string[]): string {
  return `<details class="hints" data-method="${type}"${type === 'card' ? '' : ' hidden'}><summary>${title}</summary>
<p>${text}</p>
<ul>${items.join('')}</ul></details>`;
}

function cardsToTry(): string[] {
  return TEST_CARDS.filter((card) => card.number in CARDS_TO_TRY).map((card) =>
    item(card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 '), CARDS_TO_TRY[card.number]!, {
      field: 'number',
      what: 'la carta',
    }),
  );
}

function ibansToTry(): string[] {
  return TEST_IBANS.filter(({ iban }) => iban in IBANS_TO_TRY).map(({ iban }) =>
    item(iban.replaceAll(/(.{4})(?=.)/g, '$1 '), IBANS_TO_TRY[iban]!, {
      field: 'iban',
      what: 'l’IBAN',
    }),
  );
}

function item(text: string, does: string, use: { field: string; what: string }): string {
  return `<li><span><code>${text}</code><small>${html(does)}</small></span><button type="button" class="use" data-field="${use.field}" data-value="${text}" aria-label="Usa ${use.what} ${text}">Usa</button></li>`;
}
