/** What happened to an order, each thing in one Italian sentence. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readOrder } from '#server/contract/orders.ts';
import { breakKinds } from '#server/domain/break.ts';
import { mailKinds } from '#server/domain/mail.ts';
import { endReasons, type EndReason } from '#server/domain/order.ts';
import { methodName } from '#server/domain/order-words.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import type { IconName } from '#apps/shared/ui/icon.tsx';
import { breakTitles } from '#apps/admin/health/words.ts';
import { mailKindWords } from '#apps/admin/mail/words.ts';
import {
  attentionWords,
  decisionWords,
  disputeReasonWords,
  disputeStatusWords,
  failureWords,
} from '#apps/admin/order/money-words.ts';

export type Entry = ReplyOf<typeof readOrder>['timeline'][number];
type Detail = Record<string, unknown>;

/** `more`: facts for whoever opens the line. */
export interface Sentence {
  icon: IconName;
  text: string;
  more: [name: string, value: string][];
  bad?: true;
}

/** Who did it: names stand as they are, the machines' names are told. */
export function actorWords(actor: string): string {
  const words: Record<string, string> = {
    visitor: 'acquirente',
    buyer: 'acquirente',
    stripe: 'Stripe',
    system: 'sistema',
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

function sentenceOf(action: string, facts: Detail): Short {
  const sum = typeof facts['amount_cents'] === 'number' ? formatEuro(facts['amount_cents']) : '';
  const sentences: Record<string, () => Short> = {
    order_stored: () => ({ icon: 'cart', text: 'Ordine creato, posti riservati' }),
    checkout_opened: () => ({ icon: 'online', text: 'Pagamento online aperto' }),
    cancel_asked: () => ({ icon: 'cross', text: 'Annullamento chiesto' }),
    order_deleted: () => ({
      icon: 'cross',
      text: `Ordine annullato e posti liberati: ${endingWords(facts)}`,
    }),
    order_confirmed: () => ({ icon: 'check', text: 'Ordine confermato, biglietti emessi' }),
    payment_received: () => ({
      icon: 'check',
      text: `Pagamento ricevuto: ${sum}${typeof facts['method'] === 'string' ? `, ${methodName(facts['method']).toLowerCase()}` : ''}`,
    }),
    payment_processing: () => ({
      icon: 'clock',
      text: 'Pagamento inviato: la banca lo sta verificando',
    }),
    amount_differs: () => ({
      icon: 'warning',
      text: `Sono arrivati ${sum}, una somma diversa da quella dell’ordine`,
      bad: true,
    }),
    paid_after_end: () => ({
      icon: 'warning',
      text: `Pagamento di ${sum} arrivato dopo la fine dell’ordine, posti non più liberi`,
      bad: true,
    }),
    holder_named: () => ({ icon: 'user', text: 'Intestatario indicato' }),
    holder_changed: () => ({
      icon: 'user',
      text: 'Intestatario cambiato: il codice di prima non vale più',
    }),
    attention_settled: () => ({ icon: 'edit', text: `Deciso: ${decisionOf(facts)}` }),
    refund_asked: () => ({ icon: 'user', text: `Rimborso richiesto: ${sum}` }),
    refund_requested: () =>
      facts['amount_cents'] === 0
        ? { icon: 'cross', text: 'Biglietti annullati senza rimborso' }
        : { icon: 'refresh', text: `Rimborso deciso: ${sum}` },
    refund_approved: () => ({ icon: 'check', text: `Richiesta di rimborso approvata: ${sum}` }),
    refund_refused: () => ({ icon: 'cross', text: `Richiesta di rimborso rifiutata: ${sum}` }),
    refund_withdrawn: () => ({ icon: 'cross', text: 'Richiesta di rimborso ritirata' }),
    refund_pending: () => ({ icon: 'clock', text: `Rimborso di ${sum} in corso` }),
    refund_requires_action: () => ({
      icon: 'warning',
      text: `Rimborso di ${sum}: serve un’azione su Stripe`,
      bad: true,
    }),
    refund_succeeded: () => ({ icon: 'check', text: `Rimborso di ${sum} riuscito` }),
    refund_failed: () => ({ icon: 'warning', text: `Rimborso di ${sum} non riuscito`, bad: true }),
    refund_canceled: () => ({
      icon: 'cross',
      text: `Rimborso di ${sum} annullato da Stripe`,
      bad: true,
    }),
    refund_taken_over: () => ({
      icon: 'external',
      text: `Rimborso di ${sum} fatto dal sito di Stripe`,
    }),
    refund_done_elsewhere: () => ({
      icon: 'external',
      text: `Rimborso di ${sum} già fatto dal sito di Stripe`,
    }),
    refund_retry: () => ({ icon: 'refresh', text: `Rimborso di ${sum} ritentato` }),
    refund_handed_back: () => ({ icon: 'check', text: `${sum} restituiti a mano` }),
    refund_restore: () => ({
      icon: 'ticket',
      text: 'Biglietti di nuovo validi, rimborso lasciato cadere',
    }),
    refund_void: () => ({ icon: 'cross', text: 'Biglietti annullati dopo il rimborso' }),
    refund_keep: () => ({ icon: 'ticket', text: 'Biglietti lasciati come sono dopo il rimborso' }),
    seats_freed: () => ({ icon: 'seat', text: 'Posti rimessi in vendita' }),
    dispute_created: () => ({ icon: 'warning', text: `Pagamento contestato: ${sum}`, bad: true }),
    dispute_changed: () => ({
      icon: 'warning',
      text: `Contestazione di ${sum}: ${disputeStatusWords(String(facts['status'])).toLowerCase()}`,
    }),
    event_cancelled: () => ({ icon: 'calendar', text: 'Evento annullato' }),
    buyer_forgotten: () => ({ icon: 'user', text: 'Dati dell’acquirente cancellati' }),
    buyer_email_changed: () => ({ icon: 'mail', text: 'Indirizzo e-mail corretto' }),
    mail_resent: () => ({ icon: 'mail', text: `Rimandata l’e-mail: ${mailOf(facts)}` }),
    mail_sent: () => ({
      icon: 'mail',
      text: `E-mail inviata: ${mailOf(facts)}${typeof facts['to_address'] === 'string' ? `, a ${facts['to_address']}` : ''}`,
    }),
    mail_waiting: () => ({ icon: 'mail', text: `E-mail in partenza: ${mailOf(facts)}` }),
    mail_failed: () => ({
      icon: 'warning',
      text: `E-mail non inviata: ${mailOf(facts)}`,
      bad: true,
    }),
    mail_dropped: () => ({ icon: 'mail', text: `E-mail non più utile: ${mailOf(facts)}` }),
    break_found: () => ({
      icon: 'warning',
      text: `Differenza trovata: ${breakOf(facts)}`,
      bad: true,
    }),
    break_settled: () => ({ icon: 'check', text: `Differenza sistemata: ${breakOf(facts)}` }),
    scanned: () => scanned(facts),
  };
  return (
    sentences[action]?.() ?? { icon: 'info', text: `Registrato: ${action.replaceAll('_', ' ')}` }
  );
}

function scanned(facts: Detail): Short {
  const verdict =
    Object.entries(verdictWords).find(([name]) => name === facts['verdict'])?.[1].big ?? '';
  const where = typeof facts['gate'] === 'string' ? ` (${facts['gate']})` : ' in ufficio';
  if (facts['counts'] !== true)
    return { icon: 'door', text: `${String(facts['seat'])}: letto${where}, ${verdict}` };
  return {
    icon: 'door',
    text: `${String(facts['seat'])}: ${facts['direction'] === 'out' ? 'uscito' : 'entrato'}${where}`,
  };
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

/** Why an order ended. */
function endingWords({ reason, remark }: Detail): string {
  const words: Record<EndReason, string> = {
    cancelled_by_visitor: 'lo ha voluto l’acquirente',
    cancelled_by_office: 'dall’ufficio',
    session_expired: 'tempo scaduto',
    payment_failed: 'pagamento non riuscito',
    never_finished: 'prenotazione mai completata',
    checkout_refused: 'Stripe non ha aperto il pagamento',
    refunded_by_office: 'rimborsato dall’ufficio',
    event_cancelled: 'evento annullato',
    seats_lost: 'posti appena presi da altri',
  };
  const known = endReasons.find((name) => name === reason);
  const text = known === undefined ? 'senza motivo indicato' : words[known];
  return typeof remark === 'string' && remark !== '' ? `${text} («${remark}»)` : text;
}

const names: Record<string, string> = {
  session_id: 'Sessione',
  refund_id: 'Rimborso',
  dispute_id: 'Contestazione',
  note: 'Nota',
  override: 'Forzato',
  failure: 'Motivo',
  status: 'Stato',
  text: 'Testo',
  places: 'Posti',
  settlement: 'Come',
};

/** Only facts that a person can use, in words where there are some. */
function moreOf(facts: Detail): [string, string][] {
  const lines: [string, string][] = [];
  for (const [name, value] of Object.entries(facts)) {
    const label = names[name];
    if (label === undefined || value === null || value === '') continue;
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    lines.push([
      label,
      name === 'failure' ? failureWords(text) : name === 'status' ? disputeStatusWords(text) : text,
    ]);
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
