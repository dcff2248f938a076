/** What the pages of an order say about the tickets that it replaces. */
import { formatShortDate } from '#apps/shared/format.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';

export type OwnExchange = OrderReply['exchanges'][number];
type Exchanged = Pick<OrderReply, 'exchanges'>;

/** Orders that an earlier version stored in this browser have none. */
export function exchangesOf({ exchanges }: Exchanged): readonly OwnExchange[] {
  return (exchanges as OwnExchange[] | undefined) ?? [];
}

/** The exchange by which the order came. */
export function exchangeInto(order: Exchanged): OwnExchange | undefined {
  return exchangesOf(order).find(({ side }) => side === 'got');
}

/** What is to be paid beside what the old tickets give. */
export function dueOf(order: Exchanged & Pick<OrderReply, 'total_cents'>): number {
  return order.total_cents - (exchangeInto(order)?.credit_cents ?? 0);
}

/** Whether the old tickets are good, before the new order is paid and after it has ended. */
export function sayOldTickets({ state, starts_at, number, ended_why }: OwnExchange): string | null {
  if (state === 'done') return null;
  if (ended_why === 'changed')
    return `Il cambio non è avvenuto: nel frattempo i biglietti dell’ordine n. ${number} sono cambiati.`;
  const old = `i biglietti del ${formatShortDate(starts_at)}, ordine n. ${number},`;
  return state === 'open'
    ? `Finché non paghi, ${old} valgono come prima.`
    : `Il cambio non è avvenuto: ${old} valgono come prima.`;
}

/** Tickets that were exchanged, or that were got so. */
export function sayExchanged({ side, state, starts_at, seats }: OwnExchange): string {
  const date = formatShortDate(starts_at);
  const which = seats.join(' · ');
  if (side === 'got') return `Al posto dei biglietti del ${date} (${which}).`;
  return state === 'open'
    ? `${which}: il cambio con ${date} aspetta il pagamento. Fino ad allora non cambia nulla.`
    : `${which}: cambiati con ${date}.`;
}

/** The exchanges that have ended tickets of this order. */
export function givenIn(order: Exchanged): readonly OwnExchange[] {
  return exchangesOf(order).filter(({ side, state }) => side === 'given' && state === 'done');
}

/** What went from this order into others; no money has moved with it. */
export function givenCents(order: Exchanged): number {
  return givenIn(order).reduce((sum, { credit_cents }) => sum + credit_cents, 0);
}
