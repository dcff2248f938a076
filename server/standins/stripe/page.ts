/** The hosted page in Italian: what is being bought, the card form, and the plain words when there is nothing left to pay. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Call } from './call.ts';
import { TEST_CARDS } from './cards.ts';
import { findSession, pageOf, type PaymentPage } from './payment-pages.ts';
import type { CustomField } from './session-build.ts';

const css = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const script = readFileSync(new URL('page-client.js', import.meta.url), 'utf8');

/** Answers GET /c/pay/:cs with HTML: 200, or 404 when there is no such session. All its own addresses are relative: it is reached through a door. */
export function answerWithPage(call: Call, response: ServerResponse): void {
  const session = findSession(call);
  const page = session && pageOf(call, session);
  const nonce = randomBytes(16).toString('base64');
  response.writeHead(page ? 200 : 404, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'", `style-src 'nonce-${nonce}'`, `script-src 'nonce-${nonce}'`, "connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  });
  response.end(documentOf(page, nonce));
}

/** `25,00 €`, with the space that does not break. */
function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('it-IT', { style: 'currency', currency, useGrouping: 'always' });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function documentOf(page: PaymentPage | undefined, nonce: string): string {
  const title = page?.status === 'open' ? `Pagamento di ${formatAmount(page.amount_total, page.currency)}` : 'Pagamento';
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="robots" content="noindex">
<title>${html(title)} – ambiente di prova</title>
<style nonce="${nonce}">${css}</style>
</head>
<body>
<p class="band" role="note"><strong>Ambiente di prova</strong> – nessun addebito reale</p>
${page ? bodyOf(page) : unknownPage()}
${page?.status === 'open' ? `<script nonce="${nonce}">${script}</script>` : ''}
</body>
</html>
`;
}

function bodyOf(page: PaymentPage): string {
  if (page.status === 'open') return openPage(page);
  if (page.status === 'complete') return completePage(page);
  return `<main class="single">
<h1>Sessione di pagamento scaduta</h1>
<p>Il tempo per pagare è finito e <strong>non ti è stato addebitato nulla</strong>. Torna al negozio per ricominciare.</p>
${page.cancel_url === null ? '' : `<p><a class="button" href="${html(page.cancel_url)}">Torna al negozio</a></p>`}
</main>`;
}

function completePage(page: PaymentPage): string {
  return `<main class="single">
<h1>Pagamento già ricevuto</h1>
<p>Questa sessione è stata pagata: non devi fare altro.</p>
${summaryOf(page)}
${paragraph(page.custom_text.after_submit?.message, 'note')}
<p><a class="button" href="${html(page.success_url)}">Continua</a></p>
</main>`;
}

function unknownPage(): string {
  return `<main class="single">
<h1>Pagina di pagamento non trovata</h1>
<p>L’indirizzo non corrisponde a nessuna sessione. Controlla di averlo copiato per intero, oppure torna al negozio e ricomincia.</p>
</main>`;
}

function openPage(page: PaymentPage): string {
  const total = formatAmount(page.amount_total, page.currency);
  const pays = page.amount_total > 0;
  const label = pays ? `${page.submit_type === 'donate' ? 'Dona' : 'Paga'} ${total}` : 'Conferma';
  return `<main class="checkout">
<section class="order" aria-labelledby="order-title">
${page.cancel_url === null ? '' : `<p class="back"><a href="${html(page.cancel_url)}"><span aria-hidden="true">←</span> Torna al negozio</a></p>`}
<h1 id="order-title">Il tuo ordine <span class="sum">${total}</span></h1>
${summaryOf(page)}
</section>
<section class="payment" aria-labelledby="payment-title">
<h2 id="payment-title">${pays ? 'Paga con carta' : 'I tuoi dati'}</h2>
<noscript><p class="alert">Per pagare serve JavaScript: attivalo e ricarica la pagina.</p></noscript>
<form id="payment" novalidate data-session="${html(page.id)}" data-amount="${page.amount_total}">
<fieldset><legend>Contatti</legend>
${page.customer_email === null
    ? field({ id: 'email', label: 'E-mail', attributes: 'type="email" autocomplete="email" inputmode="email" maxlength="512" required' })
    : `<p class="fixed"><span>E-mail</span> <strong>${html(page.customer_email)}</strong></p>`}
${page.phone_number_collection.enabled ? field({ id: 'phone', label: 'Telefono', attributes: 'type="tel" autocomplete="tel" inputmode="tel" maxlength="40" required' }) : ''}
${page.custom_fields.map(customField).join('\n')}
</fieldset>
${pays ? cardFields() : ''}
<p class="alert" id="alert" role="alert" tabindex="-1" hidden></p>
<button type="submit" class="button" id="pay"><span class="label">${html(label)}</span><span class="busy" hidden>Pagamento in corso…</span></button>
${paragraph(page.custom_text.submit?.message, 'note')}
</form>
${pays ? testCards() : ''}
</section>
</main>`;
}

function summaryOf(page: PaymentPage): string {
  const lines = page.line_items.map((line) => `<li><span class="what">${html(line.description)}${
    line.quantity === 1 ? '' : `<small>${line.quantity} × ${formatAmount(line.unit_amount, page.currency)}</small>`
  }</span><span class="price">${formatAmount(line.amount_total, page.currency)}</span></li>`);
  return `<ul class="lines">${lines.join('')}</ul>
<p class="total"><span>Totale</span><span class="price">${formatAmount(page.amount_total, page.currency)}</span></p>`;
}

function cardFields(): string {
  return `<fieldset><legend>Carta</legend>
${field({ id: 'number', label: 'Numero della carta', attributes: 'inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="23" required' })}
<div class="pair">
${field({ id: 'expiry', label: 'Scadenza', attributes: 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/AA" maxlength="5" required' })}
${field({ id: 'cvc', label: 'CVC', attributes: 'inputmode="numeric" autocomplete="cc-csc" placeholder="123" maxlength="4" required' })}
</div>
${field({ id: 'name', label: 'Nome sulla carta', attributes: 'autocomplete="cc-name" maxlength="200" required' })}
</fieldset>`;
}

function field(facts: { id: string; label: string; attributes: string; value?: string; optional?: boolean; control?: string }): string {
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
    const options = asked.dropdown.options.map(({ label, value }) => `<option value="${html(value)}"${value === asked.dropdown?.default_value ? ' selected' : ''}>${html(label)}</option>`);
    return field({ ...facts, attributes: '', control: `<select id="${html(id)}" name="${html(id)}" data-custom="${html(asked.key)}"${required} aria-describedby="${html(id)}-error"><option value="">Scegli…</option>${options.join('')}</select>` });
  }
  const limits = asked.text ?? asked.numeric;
  const attributes = `data-custom="${html(asked.key)}" maxlength="${limits?.maximum_length ?? 255}"${limits?.minimum_length ? ` minlength="${limits.minimum_length}"` : ''}${asked.numeric ? ' inputmode="numeric" pattern="[0-9]*"' : ''}${required}`;
  return field({ ...facts, attributes, value: limits?.default_value ?? '' });
}

function testCards(): string {
  const shown = TEST_CARDS.filter((card) => ['4242424242424242', '4000000000000002', '4000000000009995', '4000000000000127'].includes(card.number));
  const lines = shown.map((card) => {
    const number = card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    return `<li><span><code>${number}</code><small>${html(card.decline ? card.decline.message.split('. Prova')[0]! : 'Il pagamento riesce')}</small></span><button type="button" class="use" data-number="${number}" aria-label="Usa la carta ${number}">Usa</button></li>`;
  });
  return `<details class="hints"><summary>Carte di prova</summary>
<p>Qui funzionano solo queste carte. Vanno bene qualunque scadenza futura e qualunque CVC di tre cifre.</p>
<ul>${lines.join('')}</ul></details>`;
}

function paragraph(text: string | undefined, className: string): string {
  return text === undefined ? '' : `<p class="${className}">${html(text)}</p>`;
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
