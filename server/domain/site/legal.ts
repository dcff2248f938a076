/** Templates of the legal texts: the built-in ones, their placeholders and their HTML. */
import { endOfDay } from '#server/domain/payment/refund-days.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import { formatDay, isoOf, sayOfDay, sayUntil } from '#server/domain/time/dates.ts';
import { creditWords } from '#server/domain/order/order-words.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { sayRetention, usualRetention } from '#server/domain/person/retention.ts';
import type { LegalName } from './legal-names.ts';
import type { SiteFacts } from './site.ts';
import type { Monitor } from './monitoring.ts';

/**
 * Title and date of the last change of the built-in texts; the privacy policy has a date of its
 * own.
 */
export const legalTexts: Record<
  LegalName,
  { title: string; updated_on: string | null; text: string }
> = {
  terms: {
    title: 'Condizioni di vendita',
    updated_on: null,
    text: `I biglietti sono venduti da {organiser}.
Sede: {address}
P. IVA {vat_number}

## Acquisto
Quando scegli un posto, la pianta lo tiene per te per alcuni minuti. L’ultimo pulsante prima del pagamento dice la somma: premendolo invii un ordine con obbligo di pagare e passi alla pagina sicura del nostro partner per i pagamenti. L’acquisto è concluso quando l’ordine risulta confermato: da quel momento i biglietti sono nella pagina dell’ordine.

## Biglietti e ingresso
Si entra mostrando il codice QR del biglietto, sul telefono o stampato. Ogni codice vale per una sola entrata. I biglietti sono personali e non cedibili, salvo il cambio di intestatario dove l’evento lo prevede: non pubblicarne la foto. Per i biglietti ridotti porta con te il documento che ne dà diritto.

## Recesso
Ai sensi dell’art. 59, comma 1, lett. n), del Codice del consumo, per i servizi del tempo libero con una data stabilita non è previsto il diritto di recesso.

## Rimborsi
Come scelta nostra, puoi chiedere il rimborso entro {refund_days} giorni dall’acquisto, purché l’evento non sia già passato o imminente. I biglietti acquistati nei {refund_stop_days} giorni che precedono l’evento non sono rimborsabili: l’ultimo giorno utile è quello che cade {refund_stop_days} giorni prima. {refund_today} In caso di rinuncia le commissioni di vendita e di gestione non vengono restituite. ${creditWords}

Se l’evento viene annullato rimborsiamo il prezzo del biglietto, commissioni comprese.

Un evento può avere regole diverse: quelle che valgono per i tuoi biglietti, e fino a quando puoi chiedere, sono nella pagina dell’ordine, da cui si chiede anche il rimborso.

Se non trovi la pagina del tuo ordine, scrivi a {email} indicandone il numero.

## Chi siamo
- {organiser}
- {address}
- P. IVA {vat_number}
- Codice fiscale {tax_code}
- REA {rea}
- PEC {pec}
- Assistenza: {email}
- Telefono: {phone}`,
  },
  privacy: {
    title: 'Privacy Policy',
    updated_on: '2024-08-05',
    text: `Titolare del trattamento è {organiser}.
Scrivigli a {email}.

## Quali dati usiamo
Per venderti un biglietto servono il nome, l’indirizzo e-mail e, se lo indichi, il numero di telefono che scrivi nella pagina di pagamento. Per gli eventi con biglietti nominativi serve anche il nome di chi entra. I dati della carta li tratta soltanto il partner per i pagamenti: noi non li vediamo e non li conserviamo.

## A che cosa servono
A concludere e gestire l’ordine, a inviarti i biglietti e gli avvisi sull’evento, a controllare gli ingressi e a rispettare gli obblighi di legge. Non li usiamo per pubblicità senza il tuo consenso e non li vendiamo a nessuno.

## Chi li tratta e per quanto tempo
Li trattano l’organizzatore dell’evento e i fornitori che gli prestano il servizio: pagamenti, invio della posta, pianta dei posti. Al varco il personale vede soltanto quanto serve per farti entrare. I dati di chi acquista si conservano per {buyers_kept} dopo l’evento, salvo quanto la legge impone di conservare più a lungo. Se chiedi di essere avvisato quando apre una vendita, l’indirizzo serve solo a quel messaggio: si cancella appena è partito, se l’evento si annulla, o dopo 48 ore se non confermi.

## I tuoi diritti
Puoi chiedere di vedere, correggere, cancellare o ricevere i tuoi dati, o opporti al loro uso, scrivendo a {email}.

Puoi anche rivolgerti al Garante per la protezione dei dati personali.`,
  },
  cookies: {
    title: 'Cookie',
    updated_on: null,
    text: `Per vendere i biglietti questo sito usa strumenti tecnici: per questi la legge non chiede il consenso. {banner}

## Che cosa resta nel tuo browser
- Nella memoria della scheda: i posti che stai scegliendo e gli ordini appena iniziati. Si cancella quando chiudi la scheda.
- Nella memoria del sito: le preferenze di lettura e, se hai aperto la pagina di un ordine, una copia che funziona anche senza connessione. Puoi cancellarla dalle impostazioni del browser.
- Il cookie «place», se aspetti in una sala d’attesa: tiene il tuo numero per quell’evento e scade dopo due giorni.
- Un cookie di accesso soltanto per chi lavora nell’ufficio.

## La pagina di pagamento
Il pagamento avviene sul sito del nostro partner, che usa i propri cookie per la sicurezza: li spiega nella sua informativa.

{monitoring}`,
  },
  accessibility: {
    title: 'Dichiarazione di accessibilità',
    updated_on: null,
    text: `{organiser} vuole che chiunque possa comprare un biglietto da solo.

## A che cosa ci atteniamo
Il sito è progettato per rispettare le linee guida WCAG 2.2, livello AA, e la norma EN 301 549.

## Che cosa puoi fare
- Scegliere i posti da un elenco invece che dalla pianta, con la tastiera o con un lettore di schermo.
- Chiedere altro tempo prima che i posti tornino disponibili.
- Ingrandire la pagina fino al 200 % senza perdere contenuti.
- Comprare in rete i posti per persone in carrozzina e per chi le accompagna, dove la sala li prevede.

## Se qualcosa non funziona
Scrivi a {email}: ti rispondiamo e ti aiutiamo a comprare il biglietto.

Oppure telefona al numero {phone}.`,
  },
};

const placeholders = [
  'organiser',
  'address',
  'vat_number',
  'tax_code',
  'rea',
  'pec',
  'email',
  'phone',
  'site',
  'refund_days',
  'refund_stop_days',
  'refund_today',
  'buyers_kept',
  'banner',
  'monitoring',
] as const;
type Placeholder = (typeof placeholders)[number];

const placeholder = /\{([^{}\s]{0,40})\}/g;

/** Names in braces that a legal text cannot fill in. */
export function unknownLegalPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))].filter(
    (name) => !(placeholders as readonly string[]).includes(name),
  );
}

/** Whether the cookie page asks a reader for consent. */
const bannerWords = {
  none: 'Non ne usa altri, perciò non vedi nessun banner.',
  others:
    'Quelli di terze parti partono soltanto se li accetti: in fondo a questa pagina puoi cambiare idea quando vuoi.',
};
/** What third-party services do. */
const monitorWords: Record<Monitor, string> = {
  errors:
    'la segnalazione degli errori della pagina, con registrazioni a campione in cui testi e immagini sono nascosti',
  speed: 'la misura dei tempi di caricamento',
  statistics: 'il conteggio delle visite, salvo che il tuo browser chieda di non essere seguito',
};
/** What our own measuring does, where it is switched on. */
const monitoringWords =
  'Per capire se il sito funziona misuriamo, senza cookie e senza darli ad altri, i tempi di caricamento e gli errori delle pagine.';

interface FillWith {
  site: SiteFacts;
  /** The day on which it is read, in milliseconds. */ now: number;
  /** The site counts its visits itself. */ monitored: boolean;
  /** Third-party services that may run. */ watched: readonly Monitor[];
  /**
   * How many months after the event a buyer's name and address are kept; the daily deletion uses
   * the same number.
   */
  buyers?: number;
}

/**
 * HTML of a template: `## ` begins a heading, `- ` an item, an empty line a paragraph. A line
 * with a placeholder that has no value is left out. Everything else is text.
 */
export function legalHtml(
  text: string,
  { site, now, monitored, watched, buyers = usualRetention.buyers }: FillWith,
): string {
  const { organiser, support } = site;
  const ownMonitoring = monitored ? monitoringWords : null;
  const values: Record<Placeholder, string | null> = {
    ...organiser,
    ...support,
    organiser: organiser.name,
    site: site.name,
    refund_days: String(emptyForm.refund_days),
    refund_stop_days: String(emptyForm.refund_stop_days),
    refund_today: refundToday(now),
    buyers_kept: sayRetention('buyers', buyers),
    banner: watched.length > 0 ? bannerWords.others : bannerWords.none,
    monitoring:
      watched.length > 0
        ? `Con il tuo consenso usiamo servizi di terze parti per ${watched.map((monitor) => monitorWords[monitor]).join('; ')}. La tua scelta resta nel browser per sei mesi.`
        : ownMonitoring,
  };
  const fill = (line: string) =>
    line.replace(placeholder, (whole, name: string) => values[name as Placeholder] ?? whole);
  const isTold = (line: string) =>
    [...line.matchAll(placeholder)].every(([, name]) => values[name as Placeholder] !== null);
  const groups = text.replaceAll('\r\n', '\n').split(/\n\s*\n|\n(?=## )|(?<=(?:^|\n)## .*)\n/);
  const blocks = groups
    .map((group) =>
      blockHtml(
        group
          .split('\n')
          .filter((line) => line.trim() !== '' && isTold(line))
          .map(fill),
      ),
    )
    .filter((block) => block !== '');
  return blocks
    .filter((block, at) => !isHeading(block) || !isHeading(blocks[at + 1] ?? block))
    .join('');
}

/** What the usual rule means for a purchase of today (RULES R1). */
function refundToday(now: number): string {
  const { refund_days, refund_stop_days } = emptyForm;
  const asked = endOfDay(now, refund_days);
  const first = endOfDay(now, refund_stop_days);
  return `Per esempio, chi compra oggi, ${formatDay(now)}, per un evento ${sayOfDay(isoOf(first))} o dei giorni dopo può chiederlo ${sayUntil(isoOf(asked))}, o fino all’ultimo giorno utile se viene prima; per un evento più vicino non può.`;
}

/** A heading without text below it is left out, too. */
function isHeading(block: string): boolean {
  return block.startsWith('<h2>');
}

function blockHtml(lines: readonly string[]): string {
  const [first] = lines;
  if (first === undefined) return '';
  if (first.startsWith('## ')) return `<h2>${inlineHtml(first.slice(3))}</h2>`;
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${inlineHtml(line.slice(2))}</li>`).join('')}</ul>`;
  return `<p>${lines.map(inlineHtml).join('<br>')}</p>`;
}

/** Mail and page addresses become links; any other markup is shown as text. */
function inlineHtml(text: string): string {
  return text
    .trim()
    .split(
      /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:)]|[^\s@<>()",;:\\]{1,64}@[^\s@<>()",;:\\]+\.[a-z]{2,})/i,
    )
    .map((piece, at) => {
      const safe = escapeHtml(piece);
      if (at % 2 === 0) return safe;
      return `<a href="${piece.includes('://') ? '' : 'mailto:'}${safe}">${safe}</a>`;
    })
    .join('');
}
