/** The hosted page's form: contacts, payment methods, the bank's question, and test cards. */
import { METHOD_LABELS, type MethodType } from '#server/standins/stripe/payment/method-types.ts';
import type { PaymentPage } from './page-shape.ts';
import { formatAmount, html } from './page-text.ts';
import type { CustomField } from './session-build.ts';

/** The offered test cards, with the outcome of each. */
const CARDS_TO_TRY: Record<string, string> = {
  '4242424242424242': 'Il pagamento riesce',
  '4000002760003184': 'La banca chiede una conferma (3-D Secure)',
  '4000000000000002': 'La carta è rifiutata',
  '4000000000009995': 'I fondi non bastano',
  '4000000000000127': 'Il codice di sicurezza è sbagliato',
  '4000008400001629': 'Conferma, poi la carta è rifiutata',
  '4000000000000259': 'Riesce, poi viene contestato',
};

/** `now` is in unix seconds. */
export function checkoutForm(page: PaymentPage, now: number): string {
  const types = page.payment_method_types;
  const total = formatAmount(page.amount_total, page.currency);
  const next = page.next_action ? ` data-next="${html(JSON.stringify(page.next_action))}"` : '';
  const left = Math.max(0, page.expires_at - now);
  return `<section class="payment" aria-labelledby="payment-title">
<div id="pay-panel">
<h2 id="payment-title">${titleOf(types)}</h2>
<p class="timer" id="timer" role="timer" hidden></p>
<p class="unseen" id="timer-said" role="status"></p>
<noscript><p class="alert">Per pagare serve JavaScript: attivalo e ricarica la pagina.</p></noscript>
<form id="payment" novalidate data-session="${html(page.id)}" data-amount="${page.amount_total}"${next} data-left="${left}">
${contacts(page)}
${types.length > 1 ? chooser(types) : ''}
${types.map((type) => detailsOf(type, types.length === 1)).join('\n')}
<p class="alert" id="alert" role="alert" tabindex="-1" hidden></p>
<button type="submit" class="button" id="pay"><span class="label">Paga ${html(total)}</span><span class="busy" hidden>Un momento…</span></button>
${page.custom_text.submit ? `<p class="note">${html(page.custom_text.submit.message)}</p>` : ''}
</form>
${types.includes('card') ? cardsToTry() : ''}
</div>
${stepPanel(total)}
</section>`;
}

function titleOf([type, ...others]: readonly MethodType[]): string {
  if (type === undefined || others.length > 0) return 'Pagamento';
  return type === 'card' ? 'Paga con carta' : `Paga con ${METHOD_LABELS[type]}`;
}

function contacts(page: PaymentPage): string {
  return `<fieldset><legend>Contatti</legend>
${field({
  id: 'email',
  label: 'E-mail',
  attributes: `type="email" autocomplete="email" inputmode="email" maxlength="512" required${page.customer_email === null ? '' : ' readonly'}`,
  value: page.customer_email ?? '',
})}
${page.phone_number_collection.enabled ? phone : ''}
${page.custom_fields.map(customField).join('\n')}
</fieldset>`;
}

function chooser(types: readonly MethodType[]): string {
  return `<fieldset class="ways"><legend>Metodo di pagamento</legend>
${types.map((type, index) => `<label class="way"><input type="radio" name="method" value="${type}"${index === 0 ? ' checked' : ''}> <span>${html(METHOD_LABELS[type])}</span></label>`).join('\n')}
</fieldset>`;
}

/** Shown while this payment method is selected. */
function detailsOf(type: MethodType, only: boolean): string {
  const hidden = type === 'card' || only ? '' : ' hidden';
  if (type !== 'card')
    return `<p class="note wallet" data-method="${type}"${hidden}>Dopo aver premuto il pulsante confermi il pagamento con ${html(METHOD_LABELS[type])}.</p>`;
  return `<fieldset data-method="card"${hidden}><legend>${only ? 'Carta' : 'Dati della carta'}</legend>
${field({ id: 'number', label: 'Numero della carta', attributes: 'inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="30" required' })}
<div class="pair">
${field({ id: 'expiry', label: 'Scadenza', attributes: 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/AA" maxlength="12" required' })}
${field({ id: 'cvc', label: 'CVC', attributes: 'inputmode="numeric" autocomplete="cc-csc" placeholder="123" maxlength="4" required' })}
</div>
${field({ id: 'name', label: 'Nome sulla carta', attributes: 'autocomplete="cc-name" maxlength="200" required' })}
</fieldset>`;
}

/** The question of the bank or wallet; the script fills in its words. */
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
  optional?: boolean;
  value?: string;
}): string {
  const { id, label, attributes, optional = false, value = '' } = facts;
  return `<div class="field"><label for="${html(id)}">${html(label)}${optional ? ' <small>(facoltativo)</small>' : ''}</label>
<input id="${html(id)}" name="${html(id)}" ${attributes} value="${html(value)}" aria-describedby="${html(id)}-error">
<p class="error" id="${html(id)}-error" hidden></p></div>`;
}

const phone = field({
  id: 'phone',
  label: 'Telefono',
  attributes: 'type="tel" autocomplete="tel" inputmode="tel" maxlength="40" required',
});

function customField({ key, label, optional }: CustomField): string {
  const required = optional ? '' : ' required';
  const attributes = `data-custom="${html(key)}" maxlength="255"${required}`;
  return field({ id: `custom-${key}`, label: label.custom, optional, attributes });
}

function cardsToTry(): string {
  const title = 'Carte di prova';
  const hint =
    'Qui funzionano solo queste carte. Vanno bene qualunque scadenza futura e qualunque CVC di tre cifre.';
  const cards = Object.entries(CARDS_TO_TRY).map(([number, does]) => {
    const text = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    return `<li><span><code>${text}</code><small>${html(does)}</small></span><button type="button" class="use" data-value="${text}" aria-label="Usa la carta ${text}">Usa</button></li>`;
  });
  return `<details class="hints" data-method="card"><summary>${title}</summary>
<p>${hint}</p>
<ul>${cards.join('')}</ul></details>`;
}
