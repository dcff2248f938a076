/**
 * What a buyer reads about refunds before and after the purchase: the same words on the event
 * page, the order page and in mails (RULES R1, R2).
 */
import { sayUntil } from '#server/domain/time/dates.ts';
import type { Obstacle, RefundRequest } from './refund.ts';

interface RefundPolicy {
  request: RefundRequest;
  refund_days: number;
  refund_stop_days: number;
  keeps_fees: boolean;
}

const never = 'Per questo evento i biglietti non sono rimborsabili.';

/** The words before the purchase. */
export function refundTerms({
  request,
  refund_days,
  refund_stop_days,
  keeps_fees,
}: RefundPolicy): string {
  if (request === 'never') return never;
  const asked =
    refund_days === 0 ? 'il giorno dell’acquisto' : `entro ${dayCount(refund_days)} dall’acquisto`;
  const stop =
    refund_stop_days === 0
      ? 'prima che l’evento cominci'
      : `fino a ${dayCount(refund_stop_days)} prima dell’evento`;
  const fees = keeps_fees ? ' La prevendita non viene restituita.' : '';
  return `Puoi chiedere il rimborso ${asked} e ${stop}.${fees}`;
}

function dayCount(days: number): string {
  return days === 1 ? '1 giorno' : `${days} giorni`;
}

/**
 * The words for one order, from its quote; null where no rule applies. `until`: the last moment,
 * ISO text.
 */
export function sayPolicy({
  request,
  until,
  event_cancelled,
}: {
  request: RefundRequest;
  until: string | null;
  event_cancelled: boolean;
}): string | null {
  if (event_cancelled)
    return 'L’evento è stato annullato: ti restituiamo quanto hai pagato senza che tu debba fare nulla.';
  if (request === 'never') return never;
  if (until === null) return null;
  const when = sayUntil(until);
  return request === 'automatic'
    ? `Puoi chiedere il rimborso ${when}. Il rimborso parte subito, e da quel momento i biglietti non sono più validi.`
    : `Puoi chiedere il rimborso ${when}. Ti rispondiamo per e-mail: fino ad allora i biglietti restano validi.`;
}

/** A sentence about one ticket or about the whole request. */
export const obstacleWords: Record<Obstacle, string> = {
  not_confirmed: 'L’ordine non è confermato.',
  never,
  event_past: 'L’evento è già cominciato.',
  too_late: 'Il termine per chiedere il rimborso è passato.',
  too_close: 'L’evento è troppo vicino: il rimborso non si può più chiedere.',
  disputed:
    'Il pagamento è contestato presso la banca: finché è aperta la contestazione non si può rimborsare.',
  already_asked: 'Il rimborso è già stato chiesto.',
  ticket_gone: 'Il biglietto è già stato rimborsato o annullato.',
  ticket_used: 'Il biglietto è già stato usato all’ingresso.',
  nothing_paid: 'Il biglietto è gratuito: non c’è nulla da rimborsare.',
  nothing_left: 'Non resta nulla da rimborsare.',
  nothing_chosen: 'Scegli che cosa rimborsare.',
  too_much: 'L’importo supera quanto resta da rimborsare.',
};

/** What a buyer may do about the whole order now; null: nothing. */
export function sayMayAsk(
  quote: Parameters<typeof sayPolicy>[0] & { obstacle: Obstacle | null },
): string | null {
  const { obstacle, event_cancelled } = quote;
  if (obstacle === null || event_cancelled) return sayPolicy(quote);
  return obstacle === 'ticket_gone' || obstacle === 'already_asked'
    ? null
    : obstacleWords[obstacle];
}
