/**
 * What a buyer reads about refunds before and after the purchase: the same words on the event
 * page, the order page and in mails (RULES R1, R2).
 */
import { addFees } from '#server/domain/price/fees.ts';
import { formatTime, isoOf, sayTo, sayUntil } from '#server/domain/time/dates.ts';
import { closedTo, refundUntil, type Obstacle, type RefundFacts } from './refund.ts';

interface RefundDays {
  refund_days: number;
  refund_stop_days: number;
}

const never = 'Per questo evento i biglietti non sono rimborsabili.';

/** A rule of days as the office and a buyer read it: "10 giorni dall’acquisto, fino a …". */
export function dayRule({ refund_days, refund_stop_days }: RefundDays): string {
  const asked =
    refund_days === 0 ? 'il giorno dell’acquisto' : `${dayCount(refund_days)} dall’acquisto`;
  return refund_stop_days === 0
    ? `${asked}, prima che l’evento cominci`
    : `${asked}, fino a ${dayCount(refund_stop_days)} prima dell’evento`;
}

function dayCount(days: number): string {
  return days === 1 ? '1 giorno' : `${days} giorni`;
}

/** "fino al 3 dicembre"; with the hour if the right ends before the day does. */
function sayLast(until: number): string {
  const end = formatTime(until + 1);
  return end === '00:00' ? sayUntil(isoOf(until)) : `fino ${sayTo(isoOf(until + 1))}`;
}

/** `fees`: surcharges were paid, so something is to be said about them. */
interface Offer extends Pick<RefundFacts, 'now' | 'event'> {
  fees: boolean;
  /** A service commission is among them. */
  service?: boolean;
}

function sayUntilWhen({ event, fees, service }: Offer, until: number): string {
  const answer =
    event.request === 'automatic'
      ? 'Il rimborso parte subito, e da quel momento i biglietti non sono più validi.'
      : 'Ti rispondiamo per e-mail: fino ad allora i biglietti restano validi.';
  const what = service
    ? ' Prevendita e commissione non vengono restituite.'
    : ' La prevendita non viene restituita.';
  const kept = fees && event.keeps_fees ? what : '';
  return `Puoi chiedere il rimborso ${sayLast(until)}. ${answer}${kept}`;
}

/** What a person who buys now may ask for later; `event`: as for an order of this moment. */
export function sayOffer(offer: Offer): string {
  const facts = { ...offer, confirmed: true };
  const until = refundUntil(facts);
  if (until !== null) return sayUntilWhen(offer, until);
  return offer.event.cancelled ? cancelledWords(offer) : obstacleWords[closedTo(facts, 'buyer')!];
}

function cancelledWords({
  event,
  fees,
  service,
}: Pick<Offer, 'event' | 'fees' | 'service'>): string {
  return fees && event.keeps_fees
    ? `L’evento è stato annullato: ti restituiamo il prezzo dei biglietti, senza ${service ? 'prevendita e commissione' : 'la prevendita'}, e non devi fare nulla.`
    : 'L’evento è stato annullato: ti restituiamo quanto hai pagato senza che tu debba fare nulla.';
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

/**
 * What a buyer may do about the whole order now; null: nothing. `answer_by`: until when the buyer
 * of an event that was moved may take everything back (RULES E3).
 */
export function sayMayAsk({
  facts,
  obstacle,
  answer_by,
}: {
  facts: RefundFacts;
  obstacle: Obstacle | null;
  answer_by: number | null;
}): string | null {
  const { fee_cents, service_cents } = addFees(facts.lines);
  const asked = { ...facts, fees: fee_cents > 0, service: service_cents > 0 };
  const moved =
    answer_by === null
      ? []
      : [
          `Per lo spostamento puoi chiedere indietro tutto, prevendita compresa, ${sayLast(answer_by)}.`,
        ];
  const until = refundUntil(facts);
  if (facts.event.cancelled) return cancelledWords(asked);
  if (obstacle === null && until !== null) return [...moved, sayUntilWhen(asked, until)].join(' ');
  if (moved.length > 0) return moved.join(' ');
  return obstacle === null || obstacle === 'ticket_gone' || obstacle === 'already_asked'
    ? null
    : obstacleWords[obstacle];
}
