/** The hosted page in Italian: one complete HTML document per state of the payment. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { seconds, type ReadCall } from '#server/standins/stripe/call.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import { checkoutForm } from './page-form.ts';
import { pageOf, type PaymentPage } from './page-shape.ts';
import { formatAmount, html } from './page-text.ts';
import { receiptOf } from './receipt.ts';
import type { Session } from './session-build.ts';

const css = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const script = readFileSync(new URL('page-client.js', import.meta.url), 'utf8');
const ALREADY_PAID = 'Questa sessione è stata pagata: non devi fare altro.';

export interface HtmlPage {
  status: number;
  title: string;
  body: string;
  script: string;
}

/**
 * GET /c/pay/:cs: 200, or 404 if there is no such session. Its own addresses are relative,
 * because a proxy may serve it under a prefix.
 */
export async function checkoutPage(call: ReadCall): Promise<HtmlPage> {
  const session = await findObject<Session>(call.store, 'checkout.session', call.id);
  if (!session)
    return {
      status: 404,
      title: 'Pagamento',
      body: unknownPage('Pagina di pagamento non trovata', 'nessuna sessione'),
      script: '',
    };
  const page = await pageOf(call, session);
  if (page.status !== 'open')
    return { status: 200, title: 'Pagamento', body: endedPage(page), script: '' };
  const title = `Pagamento di ${formatAmount(page.amount_total, page.currency)}`;
  return { status: 200, title, body: openPage(page, seconds(call)), script };
}

/** GET /receipts/:token; `call.id` is the token. */
export async function receiptPage(call: ReadCall): Promise<HtmlPage> {
  const receipt = await receiptOf(call);
  return {
    status: receipt ? 200 : 404,
    title: 'Ricevuta',
    body: receipt ?? unknownPage('Ricevuta non trovata', 'nessuna ricevuta'),
    script: '',
  };
}

export function sendPage(response: ServerResponse, document: HtmlPage): void {
  const nonce = randomBytes(16).toString('base64');
  response.writeHead(document.status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  });
  response.end(`<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="robots" content="noindex">
<title>${html(document.title)} – ambiente di prova</title>
<style nonce="${nonce}">${css}</style>
</head>
<body>
<header class="band"><p><strong>Ambiente di prova</strong> – nessun addebito reale</p></header>
${document.body}
${document.script === '' ? '' : `<script nonce="${nonce}">${document.script}</script>`}
</body>
</html>
`);
}

function endedPage(page: PaymentPage): string {
  if (page.status === 'complete')
    return single(
      'Pagamento già ricevuto',
      `
<p>${ALREADY_PAID}</p>
${summaryOf(page)}`,
      { href: page.success_url, label: 'Continua' },
    );
  return single(
    'Sessione di pagamento scaduta',
    '<p>Il tempo per pagare è finito o l’ordine è stato annullato, e <strong>non ti è stato addebitato nulla</strong>. Torna al negozio per ricominciare.</p>',
    { href: page.cancel_url, label: 'Torna al negozio' },
  );
}

function openPage(page: PaymentPage, now: number): string {
  return `<main class="checkout">
<section class="order" aria-labelledby="order-title">
${page.cancel_url === null ? '' : `<p class="back"><a href="${html(page.cancel_url)}"><span aria-hidden="true">←</span> Torna al negozio</a></p>`}
<h1 id="order-title">Il tuo ordine <span class="sum">${formatAmount(page.amount_total, page.currency)}</span></h1>
${summaryOf(page)}
</section>
${checkoutForm(page, now)}
</main>`;
}

function summaryOf(page: PaymentPage): string {
  const lines = page.line_items.map(
    (line) =>
      `<li><span class="what">${html(line.description)}${
        line.quantity === 1
          ? ''
          : `<small>${line.quantity} × ${formatAmount(line.unit_amount, page.currency)}</small>`
      }</span><span class="price">${formatAmount(line.amount_total, page.currency)}</span></li>`,
  );
  return `<ul class="lines">${lines.join('')}</ul>
<p class="total"><span>Totale</span><span class="price">${formatAmount(page.amount_total, page.currency)}</span></p>`;
}

function single(title: string, body: string, way: { href: string | null; label: string }): string {
  return `<main class="single">
<h1>${title}</h1>
${body}
${way.href === null ? '' : `<p class="way"><a class="button" href="${html(way.href)}">${way.label}</a></p>`}
</main>`;
}

function unknownPage(title: string, what: string): string {
  return single(
    title,
    `<p>L’indirizzo non corrisponde a ${what}. Controlla di averlo copiato per intero, oppure torna al negozio e ricomincia.</p>`,
    { href: null, label: '' },
  );
}
