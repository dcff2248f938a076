/** Says that an order or all of its tickets have ended: when, how, and what was refunded. */
import { endReasons } from '#server/domain/order/order.ts';
import { endReasonNames, toldTicketState } from '#server/domain/order/order-words.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import type { Order } from './shown-order.ts';

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
  const refunded = ended.filter(
    (line) => toldTicketState(line.ticket_state, order.refunded_cents) === 'refunded',
  ).length;
  const isAll = ended.length === tickets.length;
  const deed = deedOf(refunded, ended.length);
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

function deedOf(refunded: number, ended: number): string {
  if (refunded === 0) return 'annullati';
  return refunded === ended ? 'rimborsati' : 'annullati o rimborsati';
}

function sayMoney({
  paid_cents,
  refunded_cents,
}: Pick<Order, 'paid_cents' | 'refunded_cents'>): string {
  if (paid_cents === 0) return '';
  if (refunded_cents === 0) return ` Nessun rimborso: restano ${formatEuro(paid_cents)}.`;
  return ` Rimborsati ${formatEuro(refunded_cents)} di ${formatEuro(paid_cents)}.`;
}
