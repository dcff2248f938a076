/** The type of an order in the office. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readOrder } from '#server/contract/order/orders.ts';

export type Order = ReplyOf<typeof readOrder>;
type Line = Order['lines'][number];

export function isValidTicket(line: Line): line is Line & { ticket_id: string } {
  return line.ticket_id !== null && line.ticket_state === 'valid';
}

/** The exchanges that have ended tickets of the order. */
export function doneExchanges(exchanges: Order['exchanges']): Order['exchanges'] {
  return exchanges.filter(({ side, state }) => side === 'given' && state === 'done');
}

export function isExchanged(exchanges: Order['exchanges'], { ticket_state, seat }: Line): boolean {
  const hasEnded = ticket_state === 'refunded' || ticket_state === 'void';
  return hasEnded && doneExchanges(exchanges).some(({ seats }) => seats.includes(seat));
}

/** The part payment of a reservation that stays with the house. */
export function keptCents(order: Pick<Order, 'refunds'>): number {
  return order.refunds
    .filter(({ kind, state }) => kind === 'kept' && state === 'succeeded')
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** The lines of each object sold whole; every other line stands alone. */
export function togetherIn(lines: readonly Line[]): [Line, ...Line[]][] {
  const keyOf = ({ whole, line_id }: Line) => (whole === null ? line_id : `whole ${whole.name}`);
  return [...Map.groupBy(lines, keyOf).values()] as [Line, ...Line[]][];
}

/** The tables of which these tickets are only a part: they stay closed until the rest ends. */
export function partlyEnded(lines: readonly Line[], ticketIds: readonly string[]): string[] {
  return togetherIn(lines.filter(isValidTicket)).flatMap((together) => {
    const [{ whole }] = together;
    const ending = together.filter(({ ticket_id }) => ticketIds.includes(ticket_id ?? ''));
    return whole !== null && ending.length > 0 && ending.length < together.length
      ? [whole.name]
      : [];
  });
}

export interface OrderDialogProps {
  order: Order;
  onClose: () => void;
}
