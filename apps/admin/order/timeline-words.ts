/** The Italian sentence for each entry of an order’s history. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { againstAnswers } from '#server/domain/door/against.ts';
import type { OrderAction } from '#server/domain/audit/audit.ts';
import {
  buyerFields,
  languageNames,
  readLanguage,
  type BuyerField,
} from '#server/domain/order/buyer.ts';
import { breakKinds } from '#server/domain/office/break.ts';
import { declineWords } from '#server/domain/payment/decline.ts';
import { mailKinds, type MailState } from '#server/domain/mail/kinds.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { newerWord } from '#server/domain/text/newer-word.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import type { IconName } from '#apps/shared/ui/icon.tsx';
import { breakTitles } from '#apps/admin/health/words.ts';
import { againstWords } from '#apps/admin/kit/words.ts';
import { mailKindWords } from '#apps/admin/mail/words.ts';
import { endReasonWords } from './ended-words.ts';
import {
  attentionWords,
  decisionWords,
  disputeReasonWords,
  disputeStatusWords,
  failureWords,
} from './refund/money-words.ts';

const answerWords: Record<string, string> = {
  keep: 'tiene il biglietto',
  refund: 'rimborso',
  exchange: 'un’altra data',
  gift: 'lascia il denaro al teatro',
};

export type Entry = ReplyOf<typeof readOrder>['timeline'][number];
type Detail = Record<string, unknown>;

/** `more` holds details that the user can unfold. */
interface Sentence {
  icon: IconName;
  text: string;
  more: [name: string, value: string][];
  bad?: true;
}

/** A name of a person is shown as it is. */
export function actorWords(actor: string): string {
  const words: Record<string, string> = {
    visitor: 'acquirente',
    buyer: 'acquirente',
    stripe: 'Stripe',
    system: 'sistema',
    cli: 'riga di comando',
  };
  return words[actor] ?? actor;
}

export function sayEntry({ action, detail }: Entry): Sentence {
  const facts: Detail =
    typeof detail === 'object' && detail !== null && !Array.isArray(detail)
      ? (detail as Detail)
      : {};
  const { icon, text, bad } = sentenceOf(action, facts);
  return { icon, text, more: moreOf(facts), ...(bad && { bad }) };
}

type Short = Omit<Sentence, 'more'>;

/** The actions of the audit, and those of checkouts, payments, mails, differences, scans. */
type TimelineAction =
  | OrderAction
  | 'checkout_opened'
  | 'exchange_into'
  | 'payment_received'
  | 'payment_declined'
  | `mail_${MailState}`
  | 'mail_kept'
  | 'break_found'
  | 'scanned';

const sentences: Record<TimelineAction, (facts: Detail) => Short> = {
  order_stored: () => say('cart', 'Ordine creato, posti riservati'),
  invoice_asked: () => say('list', 'Fattura chiesta'),
  invoice_changed: () => say('list', 'Dati della fattura cambiati'),
  invoice_made: ({ invoice_number }) => say('list', `Fattura emessa: n. ${String(invoice_number)}`),
  invoice_reopened: () => say('list', 'Fattura riaperta: i dati si possono di nuovo cambiare'),
  sale_rebuilt: () =>
    say('cart', 'Vendita ricostruita dal biglietto dopo il ripristino di una copia'),
  order_recovered: () => say('cart', 'Ordine ritrovato su Stripe dopo il ripristino di una copia'),
  checkout_opened: () => say('online', 'Pagamento online aperto'),
  cancel_asked: () => say('cross', 'Annullamento chiesto'),
  order_deleted: (facts) =>
    say('cross', `Ordine annullato e posti liberati: ${endingWords(facts)}`),
  order_confirmed: () => say('check', 'Ordine confermato, biglietti emessi'),
  payment_received: (facts) => say('check', paymentWords(facts)),
  payment_declined: (facts) => alarm('cross', declineSentence(facts)),
  payment_processing: () => say('clock', 'Pagamento inviato: la banca lo sta verificando'),
  click_asked: () => say('mail', 'Conferma chiesta all’indirizzo e-mail'),
  places_let_go: () => say('clock', 'Posti liberati: nessuno era entrato in tempo'),
  place_taken_back: () => say('check', 'Posto liberato di nuovo suo'),
  let_in_against: (facts) => alarm('warning', sayAgainst(facts)),
  against_settled: (facts) => say('check', `Ingresso deciso: ${againstAnswerOf(facts)}`),
  place_given: () => say('cross', 'Posto assegnato ad altri: il biglietto non vale più'),
  amount_differs: (facts) =>
    alarm('warning', `Sono arrivati ${sumOf(facts)}, una somma diversa da quella dell’ordine`),
  paid_after_end: (facts) =>
    alarm(
      'warning',
      `Pagamento di ${sumOf(facts)} arrivato dopo la fine dell’ordine, posti non più liberi`,
    ),
  holder_named: () => say('user', 'Intestatario indicato'),
  holder_changed: () => say('user', 'Intestatario cambiato: il codice di prima non vale più'),
  attention_settled: (facts) => say('edit', `Deciso: ${decisionOf(facts)}`),
  refund_asked: (facts) => say('user', `Rimborso richiesto: ${sumOf(facts)}`),
  refund_requested: (facts) =>
    facts['amount_cents'] === 0
      ? say('cross', 'Biglietti annullati senza rimborso')
      : say('refresh', `Rimborso deciso: ${sumOf(facts)}`),
  refund_approved: (facts) => say('check', `Richiesta di rimborso approvata: ${sumOf(facts)}`),
  refund_refused: (facts) => say('cross', `Richiesta di rimborso rifiutata: ${sumOf(facts)}`),
  refund_withdrawn: () => say('cross', 'Richiesta di rimborso ritirata'),
  refund_pending: (facts) => say('clock', `Rimborso di ${sumOf(facts)} in corso`),
  refund_requires_action: (facts) =>
    alarm('warning', `Rimborso di ${sumOf(facts)}: serve un’azione su Stripe`),
  refund_succeeded: (facts) => say('check', `Rimborso di ${sumOf(facts)} riuscito`),
  refund_failed: (facts) => alarm('warning', `Rimborso di ${sumOf(facts)} non riuscito`),
  refund_canceled: (facts) => alarm('cross', `Rimborso di ${sumOf(facts)} annullato da Stripe`),
  refund_taken_over: (facts) =>
    say('external', `Rimborso di ${sumOf(facts)} fatto dal sito di Stripe`),
  refund_done_elsewhere: (facts) =>
    say('external', `Rimborso di ${sumOf(facts)} già fatto dal sito di Stripe`),
  refund_retry: (facts) => say('refresh', `Rimborso di ${sumOf(facts)} ritentato`),
  refund_handed_back: (facts) => say('check', `${sumOf(facts)} restituiti a mano`),
  refund_restore: () => say('ticket', 'Biglietti di nuovo validi, rimborso lasciato cadere'),
  refund_void: () => say('cross', 'Biglietti annullati dopo il rimborso'),
  refund_keep: () => say('ticket', 'Biglietti lasciati come sono dopo il rimborso'),
  exchange_begun: (facts) =>
    say('refresh', `Cambio di data cominciato con l’ordine ${String(facts['number'])}`),
  tickets_exchanged: (facts) =>
    say('refresh', `Biglietti cambiati: ora valgono quelli dell’ordine ${String(facts['number'])}`),
  money_left: (facts) => say('check', `Denaro lasciato al teatro: ${sumOf(facts)}`),
  exchange_into: (facts) =>
    say('refresh', `Al posto di biglietti dell’ordine ${String(facts['number'])}`),
  exchange_ended: () => say('cross', 'Cambio di data non avvenuto: i biglietti non sono cambiati'),
  tickets_moved: (facts) =>
    say('refresh', `Biglietti spostati: ${listOf(facts['from'])} → ${listOf(facts['to'])}`),
  tickets_retyped: (facts) =>
    say(
      'edit',
      `Tariffa cambiata (${listOf(facts['places'])}): ${listOf(facts['from'])} → ${listOf(facts['to'])}`,
    ),
  tickets_swapped: (facts) =>
    say(
      'refresh',
      `Posti scambiati con l’ordine ${String(facts['with'])}: ${listOf(facts['from'])} → ${listOf(facts['to'])}`,
    ),
  move_given_up: () => say('cross', 'Spostamento non riuscito: i biglietti sono rimasti dov’erano'),
  seats_freed: () => say('armchair', 'Posti rimessi in vendita'),
  dispute_created: (facts) => alarm('warning', `Pagamento contestato: ${sumOf(facts)}`),
  dispute_changed: (facts) =>
    say(
      'warning',
      `Contestazione di ${sumOf(facts)}: ${disputeStatusWords(String(facts['status'])).toLowerCase()}`,
    ),
  event_cancelled: () => say('calendar', 'Evento annullato'),
  postponement_answered: (facts) =>
    say('calendar', `Spettacolo spostato: ${answerWords[String(facts['answer'])] ?? 'risposta'}`),
  cancellation_answered: (facts) =>
    say('calendar', `Spettacolo annullato: ${answerWords[String(facts['answer'])] ?? 'risposta'}`),
  buyer_forgotten: () => say('user', 'Dati dell’acquirente cancellati'),
  buyer_email_changed: () => say('mail', 'Indirizzo e-mail corretto'),
  buyer_changed: (facts) => say('edit', `Acquirente corretto: ${correctionOf(facts)}`),
  door_note_written: (facts) =>
    say('edit', `Nota per la porta scritta: ${listOf(facts['places'])}`),
  door_note_removed: (facts) => say('edit', `Nota per la porta tolta: ${listOf(facts['places'])}`),
  note_added: () => say('edit', 'Nota scritta'),
  note_pinned: () => say('pin', 'Nota messa in evidenza'),
  note_unpinned: () => say('pin', 'Nota tolta dall’evidenza'),
  note_deleted: () => say('cross', 'Nota cancellata'),
  seats_added: (facts) =>
    say(
      'plus',
      `Posti aggiunti con l’ordine ${typeof facts['number'] === 'string' ? facts['number'] : ''}`,
    ),
  order_read_again: () => say('refresh', 'Ordine riletto da Stripe su richiesta'),
  mail_resent: (facts) => say('mail', `Rimandata l’e-mail: ${mailOf(facts)}`),
  link_replaced: () => say('mail', 'Link dell’acquirente sostituito e inviato per e-mail'),
  mail_bounced: (facts) => alarm('warning', `E-mail tornata indietro: ${mailOf(facts)}`),
  mail_sent: (facts) => say('mail', `E-mail inviata: ${mailOf(facts)}${addressOf(facts)}`),
  mail_kept: (facts) =>
    alarm(
      'mail',
      `E-mail non spedita, la posta non è configurata: ${mailOf(facts)}${addressOf(facts)}`,
    ),
  mail_waiting: (facts) => say('mail', `E-mail in partenza: ${mailOf(facts)}`),
  mail_failed: (facts) => alarm('warning', `E-mail non inviata: ${mailOf(facts)}`),
  mail_dropped: (facts) => say('mail', `E-mail non più utile: ${mailOf(facts)}`),
  break_found: (facts) => alarm('warning', `Differenza trovata: ${breakOf(facts)}`),
  seats_reserved: () => say('clock', 'Posti prenotati alla cassa, da pagare'),
  reservation_changed: () => say('clock', 'Scadenza della prenotazione cambiata'),
  deposit_taken: (facts) =>
    say(
      'check',
      `Acconto di ${sumOf(facts)}: restano ${sumOf({ amount_cents: facts['rest_cents'] })}`,
    ),
  deposit_kept: (facts) => say('check', `Acconto trattenuto dal teatro: ${sumOf(facts)}`),
  price_by_hand: (facts) => say('edit', `Prezzo deciso alla cassa: ${sumOf(facts)}`),
  group_sold: () => say('user', 'Venduto come gruppo, oltre i posti di un ordine'),
  seat_rules_overridden: () => say('armchair', 'Posti scelti fuori dalle regole della pianta'),
  tickets_printed: () => say('ticket', 'Biglietti stampati alla cassa'),
  tickets_reissued: ({ places }) =>
    say(
      'ticket',
      `Biglietti rifatti${places ? ` (${listOf(places)})` : ''}: i codici di prima non valgono più`,
    ),
  break_settled: (facts) => say('check', `Differenza sistemata: ${breakOf(facts)}`),
  scanned,
};

function say(icon: IconName, text: string): Short {
  return { icon, text };
}

function alarm(icon: IconName, text: string): Short {
  return { icon, text, bad: true };
}

/** What old tickets give is no money of the day. */
function paymentWords(facts: Detail): string {
  const { kind, method } = facts;
  if (kind === 'exchange') return `Dai biglietti di prima: ${sumOf(facts)}`;
  const way = typeof method === 'string' ? `, ${methodName(method).toLowerCase()}` : '';
  return `Pagamento ricevuto: ${sumOf(facts)}${way}`;
}

/** Why a payment was declined, in the same words as in the panel of payments. */
function declineSentence({ method, code }: Detail): string {
  const what = method === null || method === 'card' ? 'Carta rifiutata' : 'Pagamento rifiutato';
  return `${what}: ${declineWords(String(code))}`;
}

function sumOf(facts: Detail): string {
  return typeof facts['amount_cents'] === 'number' ? formatEuro(facts['amount_cents']) : '';
}

function isKnown(action: string): action is TimelineAction {
  return Object.hasOwn(sentences, action);
}

/** An unknown, older action is shown by its name. */
function sentenceOf(action: string, facts: Detail): Short {
  if (isKnown(action)) return sentences[action](facts);
  return { icon: 'info', text: `Registrato: ${action.replaceAll('_', ' ')}` };
}

function scanned(facts: Detail): Short {
  const verdict =
    Object.entries(verdictWords).find(([name]) => name === facts['verdict'])?.[1].big ?? '';
  const desk = facts['at_desk'] === true ? ' in ufficio' : '';
  const where = typeof facts['gate'] === 'string' ? ` (${facts['gate']})` : desk;
  if (facts['counts'] !== true)
    return { icon: 'door', text: `${String(facts['seat'])}: letto${where}, ${verdict}` };
  return {
    icon: 'door',
    text: `${String(facts['seat'])}: ${facts['direction'] === 'out' ? 'uscito' : 'entrato'}${where}`,
  };
}

const buyerNames: Record<BuyerField, string> = {
  name: 'nome',
  email: 'e-mail',
  phone: 'telefono',
  contact: 'referente',
  language: 'lingua',
};

/** Old and new values; only the field's name once the buyer's data are erased. */
function correctionOf({ fields, before, after }: Detail): string {
  const changed = buyerFields.filter((field) => Array.isArray(fields) && fields.includes(field));
  const wordOf = (facts: unknown, field: BuyerField) => {
    const text = (facts as Partial<Record<BuyerField, string | null>>)[field];
    if (text == null) return 'nessuno';
    const language = field === 'language' ? readLanguage(text) : null;
    return language === null ? `«${text}»` : languageNames[language];
  };
  return changed
    .map((field) =>
      before === undefined
        ? buyerNames[field]
        : `${buyerNames[field]} ${wordOf(before, field)} → ${wordOf(after, field)}`,
    )
    .join(', ');
}

function addressOf(facts: Detail): string {
  return typeof facts['to_address'] === 'string' ? `, a ${facts['to_address']}` : '';
}

function mailOf(facts: Detail): string {
  const kind = mailKinds.find((known) => known === facts['kind']);
  return kind === undefined ? 'messaggio' : mailKindWords[kind].toLowerCase();
}

function breakOf(facts: Detail): string {
  const kind = breakKinds.find((known) => known === facts['kind']);
  return kind === undefined
    ? 'con Stripe o con la pianta'
    : breakTitles[kind].replace(/^./, (letter) => letter.toLowerCase());
}

function decisionOf(facts: Detail): string {
  const reason = String(facts['reason']);
  const labels = ['accept', 'refund', 'retry', 'void', 'keep', 'acknowledge'] as const;
  const decision = labels.find((known) => known === facts['decision']);
  return decision === undefined
    ? attentionWords(reason)
    : decisionWords(decision, reason).label.toLowerCase();
}

function endingWords({ reason, remark }: Detail): string {
  const text = endReasonWords(reason);
  return typeof remark === 'string' && remark !== '' ? `${text} («${remark}»)` : text;
}

const names: Record<string, string> = {
  session_id: 'Sessione',
  refund_id: 'Rimborso',
  dispute_id: 'Contestazione',
  note: 'Nota',
  override: 'Forzato',
  kept_back: 'Posti lasciati bloccati',
  approved_by: 'Con il consenso di',
  failure: 'Motivo',
  status: 'Stato',
  text: 'Testo',
  places: 'Posti',
  settlement: 'Come',
};

const translations: Record<string, (text: string) => string> = {
  failure: failureWords,
  status: disputeStatusWords,
};

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.join('; ') : '';
}

/** The facts that help a person, with Italian words where there are some. */
function sayAgainst({ against }: Detail): string {
  if (against === 'refunded') return 'Qualcuno è dentro con un biglietto rimborsato';
  if (against === 'void') return 'Qualcuno è dentro con un biglietto annullato';
  return 'Qualcuno è dentro sul posto che il biglietto ha lasciato';
}

function againstAnswerOf({ as }: Detail): string {
  const answer = againstAnswers.find((known) => known === as);
  return answer === undefined ? newerWord : againstWords[answer].word.toLowerCase();
}

function moreOf(facts: Detail): [string, string][] {
  const lines: [string, string][] = [];
  for (const [name, value] of Object.entries(facts)) {
    const label = names[name];
    if (label === undefined || value === null || value === '') continue;
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    lines.push([label, translations[name]?.(text) ?? text]);
  }
  if (typeof facts['reason'] === 'string' && !/^[a-z_]+(:|$)/.test(facts['reason']))
    lines.push(['Perché', facts['reason']]);
  else if (
    typeof facts['reason'] === 'string' &&
    typeof facts['status'] !== 'string' &&
    facts['amount_cents'] !== undefined
  )
    lines.push(['Perché', disputeReasonWords(facts['reason'])]);
  return lines;
}
