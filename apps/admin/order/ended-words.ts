/** Says that an order or all of its tickets have ended: when, how, and what was refunded. */
import { endReasons } from '#server/domain/order/order.ts';
import { endReasonNames, toldTicketState } from '#server/domain/order/order-words.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { isExchanged, keptCents, type Order } from './shown-order.ts';

export function endReasonWords(reason: unknown): string {
  const known = endReasons.find((name) => name === reason);
  return known === undefined ? 'senza motivo indicato' : endReasonNames[known];
}

/** Null: the order has not ended. */
export function sayEnded(order: Order): string | null {
  if (order.state === 'deleted') return sayDeleted(order);
  return order.state === 'confirmed' ? sayTickets(order) : null;
}

function sayDeleted({ order_deleted_at, end_reason, ...order }: Order): string {
  const when = order_deleted_at === null ? '' : ` il ${formatListDate(order_deleted_at)}`;
  return `Ordine annullato${when}: ${endReasonWords(end_reason)}.${sayMoney(order)}`;
}

function sayTickets({ lines, ...order }: Order): string | null {
  const tickets = lines.filter((line) => line.ticket_state !== null);
  const ended = tickets.filter((line) => line.ticket_state !== 'valid');
  if (ended.length === 0) return null;
  const back_cents = backCents(order);
  const refunded = ended.filter(
    (line) => toldTicketState(line.ticket_state, back_cents) === 'refunded',
  ).length;
  const exchanged = ended.filter((line) => isExchanged(order.exchanges, line)).length;
  const isAll = ended.length === tickets.length;
  const deed =
    exchanged > 0 ? exchangedDeed(exchanged, ended.length) : deedOf(refunded, ended.length);
  const last = ended
    .map((line) => line.ticket_ended_at)
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  const when = last === undefined ? '' : ` il ${formatListDate(last)}`;
  const who = isAll
    ? `Tutti i biglietti ${deed}`
    : `${ended.length} di ${formatCount(tickets.length, 'biglietto', 'biglietti')} ${deed}`;
  return `${who}${when}.${sayMoney(order)}`;
}

function exchangedDeed(exchanged: number, ended: number): string {
  return exchanged === ended ? 'cambiati' : 'cambiati, annullati o rimborsati';
}

function deedOf(refunded: number, ended: number): string {
  if (refunded === 0) return 'annullati';
  return refunded === ended ? 'rimborsati' : 'annullati o rimborsati';
}

type Money = Pick<
  Order,
  'paid_cents' | 'refunded_cents' | 'exchanged_cents' | 'left_cents' | 'refunds'
>;

/** What has gone back to the buyer; an exchange and money left to the house are no refunds. */
function backCents(order: Omit<Money, 'paid_cents'>): number {
  return order.refunded_cents - order.exchanged_cents - order.left_cents - keptCents(order);
}

function sayMoney(order: Money): string {
  const { paid_cents, exchanged_cents } = order;
  if (paid_cents === 0) return '';
  const left = order.left_cents;
  const kept = keptCents(order);
  const back = backCents(order);
  const gone = [
    exchanged_cents > 0 && ` Cambiati con un’altra data ${formatEuro(exchanged_cents)}.`,
    left > 0 && ` Lasciati al teatro ${formatEuro(left)}.`,
    kept > 0 && ` Acconto trattenuto: ${formatEuro(kept)}.`,
    back > 0 && ` Rimborsati ${formatEuro(back)} di ${formatEuro(paid_cents)}.`,
  ].filter((said) => said !== false);
  if (gone.length > 0) return gone.join('');
  return ` Nessun rimborso: restano ${formatEuro(paid_cents)}.`;
}
