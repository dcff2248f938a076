/** The part of the till's address with the tickets that the next sale replaces. */

/** Tickets of one order. */
export interface Given {
  orderId: string;
  ticketIds: string[];
}

export function givenIn(search: URLSearchParams): Given | null {
  const orderId = search.get('exchange') ?? '';
  const ticketIds = (search.get('tickets') ?? '').split(',').filter(Boolean);
  return orderId === '' || ticketIds.length === 0 ? null : { orderId, ticketIds };
}

/** The till of an evening, where the sale replaces these tickets. */
export function exchangePath(eventId: string, { orderId, ticketIds }: Given): string {
  const search = new URLSearchParams({ exchange: orderId, tickets: ticketIds.join(',') });
  return `/sell/event/${encodeURIComponent(eventId)}?${search}`;
}
