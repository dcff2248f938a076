/** The page for programmers: the calls, the token, and how to check a webhook's signature. */
import type { Router } from '@koa/router';
import * as reading from '#server/contract/program/reading.ts';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { webhookKinds, type WebhookKind } from '#server/domain/program/webhook.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';

/** One line per endpoint: an endpoint without one does not compile. */
const endpointWords: Record<keyof typeof reading, string> = {
  listEventsV1: 'Gli eventi pubblicati o annullati, in ordine di inizio',
  readEventV1: 'Un evento',
  readAvailabilityV1: 'Posti in tutto e posti liberi, per categoria',
  listOrdersV1: 'Gli ordini con le loro righe, dal più vecchio',
  readOrderV1: 'Un ordine, per numero',
  listTicketsV1: 'I biglietti di un evento, senza i codici, in ordine di cambiamento',
  listAdmissionsV1: 'Gli ingressi e le uscite di un evento, in ordine di cambiamento',
  readFiguresV1: 'Conteggi e somme di un evento',
  listPriceRulesV1: 'Regole di prezzo di un evento, con quello che ciascuna ha tolto',
};

/** When each webhook is sent, and the ids in its `data` beside the event's. */
const kindWords: Record<WebhookKind, readonly [when: string, ...ids: string[]]> = {
  'order.confirmed': ['un ordine è confermato', 'order_number'],
  'order.refunded': [
    'un rimborso è andato a buon fine, anche fatto dal sito di Stripe',
    'order_number',
  ],
  'ticket.issued': ['biglietti emessi', 'order_number', 'ticket_ids'],
  'ticket.revised': [
    'biglietti con un nuovo codice o posto, o di nuovo validi',
    'order_number',
    'ticket_ids',
  ],
  'ticket.ended': ['biglietti annullati o rimborsati', 'order_number', 'ticket_ids'],
  'admission.created': ['qualcuno è entrato o uscito', 'admission_id', 'ticket_ids'],
  'admission.undone': ['una lettura è stata annullata', 'admission_id', 'ticket_ids'],
  'event.changed': ['un evento è cambiato, spostato, annullato o messo in vendita'],
  'sale.closed': ['la vendita di un evento si è chiusa'],
  'seat.low': ['in una categoria restano pochi posti', 'category_key'],
};

const code = (text: string) => `<code>${escapeHtml(text)}</code>`;
const listShape = '{"items": […], "next_cursor": …}';
const errorShape = '{"status", "code", "message", "detail"}';
const standard = '<a href="https://www.standardwebhooks.com">Standard Webhooks</a>';
const documentLink = '<a href="/api/v1/openapi.json">openapi.json</a>';

const words = {
  title: 'Dati per altri programmi',
  intro: `Qui altri programmi di chi organizza leggono eventi, ordini, biglietti, ingressi e cifre. Si legge soltanto: niente si cambia. La descrizione completa dei campi è in ${documentLink}.`,
  key: 'La chiave',
  keyText:
    'Si crea in Impostazioni, Programmi, con i dati che può leggere, e si vede una volta sola. Va in ogni richiesta:',
  reading: 'Che cosa si legge',
  columns: ['Indirizzo', 'Che cosa', 'Dati della chiave'],
  units: `Gli importi sono in centesimi di euro, gli orari in UTC. Nome ed e-mail di chi ha comprato ci sono solo con i dati ${code('buyers')}.`,
  lists: 'Elenchi',
  pages: `La risposta è ${code(listShape)}: con ${code('cursor')} si chiede la pagina seguente, con ${code('limit')} fino a 200 righe. Le righe nuove arrivano in fondo. Dove c’è ${code('seq')}, una riga che cambia torna con un numero più alto: con ${code('after_seq')} si legge solo che cosa è cambiato.`,
  tags: `Ogni risposta ha un ${code('ETag')}: con ${code('If-None-Match')} la stessa risposta diventa un 304 vuoto.`,
  limits: 'Errori e limiti',
  limitsText: `Un errore è ${code(errorShape)}. Una chiave può fare 300 richieste al minuto; oltre risponde 429, con i secondi da aspettare in ${code('Retry-After')}.`,
  webhooks: 'Webhook',
  webhooksText: `Agli indirizzi scritti in Impostazioni, Programmi mandiamo in POST che cosa succede. Il corpo contiene solo identificativi: il resto si legge con una chiave. Vale una risposta 2xx entro quindici secondi; altrimenti riproviamo, sempre più di rado, per tre giorni, e non prima di ${code('Retry-After')}. Con 410 l’indirizzo si spegne. La stessa consegna può arrivare due volte, sempre con lo stesso ${code('webhook-id')}; l’ordine non è garantito.`,
  kinds: ['Tipo', 'Quando', 'Identificativi'],
  signature: `Le intestazioni ${code('webhook-id')}, ${code('webhook-timestamp')} e ${code('webhook-signature')} e il segreto sono quelli di ${standard}: le sue librerie, in una decina di linguaggi, controllano la firma sul corpo così com’è arrivato, anche mentre il segreto cambia. In Node:`,
};

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.25rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: left; vertical-align: top; }
code, pre { font: 0.9375rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
@media (max-width: 40rem) { table, tbody, tr, td { display: block; } thead { display: none; } td { border: 0; padding: 0.1rem 0; } tr { padding: 0.6rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); } }
`;

const sample = `{"type": "order.confirmed", "timestamp": "2026-11-28T19:30:00.000Z",
 "data": {"event_id": "la-locandiera", "order_number": "…"}}`;

const verification = `import { Webhook } from 'standardwebhooks';
const { type, data } = new Webhook(secret).verify(body, headers);`;

export function serveProgramPage(router: Router): void {
  router.get('/api/v1', (http) => {
    http.type = 'html';
    http.body = page();
  });
}

function page(): string {
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${words.title}</h1>
<p>${words.intro}</p>
<h2>${words.key}</h2>
<p>${words.keyText}</p>
<pre>Authorization: Bearer bot_…</pre>
<h2>${words.reading}</h2>
${tableOf(words.columns, (Object.keys(endpointWords) as (keyof typeof reading)[]).map(rowOf))}
<p>${words.units}</p>
<h2>${words.lists}</h2>
<p>${words.pages}</p>
<p>${words.tags}</p>
<h2>${words.limits}</h2>
<p>${words.limitsText}</p>
<h2>${words.webhooks}</h2>
<p>${words.webhooksText}</p>
${tableOf(words.kinds, webhookKinds.map(kindRow))}
<pre>${escapeHtml(sample)}</pre>
<p>${words.signature}</p>
<pre>${escapeHtml(verification)}</pre>
</main>
</body>
</html>
`;
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

function kindRow(kind: WebhookKind): string[] {
  const [when, ...ids] = kindWords[kind];
  return [code(kind), escapeHtml(when), ids.map(code).join(', ')];
}

const shapes: Record<keyof typeof reading, EndpointShape> = { ...reading };

function rowOf(name: keyof typeof reading): string[] {
  const { path, who } = shapes[name];
  const address = path.replace(/:(\w+)/g, '{$1}');
  return [
    code(`GET ${address}`),
    escapeHtml(endpointWords[name]),
    code(who.slice(who.indexOf(':') + 1)),
  ];
}
