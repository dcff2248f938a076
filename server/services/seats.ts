/** The chart's rows as the seat rules want them. */
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { RuleRow } from '#server/domain/seating.ts';
import { priceOf, type PricedCategory } from '#server/domain/pricing.ts';

export interface RowsAsk { pricing: readonly PricedCategory[]; mine: ReadonlySet<string>; hold_token: string }

/** Rows are followed from neighbour to neighbour; where a row has an aisle, seats.io knows no neighbour, and so do we. */
export function rowsOf(objects: readonly SeatObject[], { pricing, mine, hold_token }: RowsAsk): RuleRow[] {
  const sold = new Map<string, boolean>();
  const isSold = (object: SeatObject) => {
    const key = `${object.category_key}\n${object.category}`;
    if (!sold.has(key)) sold.set(key, pricing.some(({ ticketTypes }) => ticketTypes.some((type) => priceOf(pricing, { key: object.category_key, label: object.category }, type.ticketType))));
    return sold.get(key)!;
  };
  const seats = new Map(objects.filter((object) => object.kind === 'seat').map((object) => [object.label, object]));
  const stateOf = (object: SeatObject) => {
    if (mine.has(object.label)) return 'mine' as const;
    const open = object.status === 'free' || (object.status === 'reservedByToken' && object.hold_token === hold_token);
    return open && object.for_sale && isSold(object) ? 'free' as const : 'other' as const;
  };
  const rows: RuleRow[] = [];
  const seen = new Set<string>();
  for (const first of [...seats.values()].filter((object) => object.left === null || !seats.has(object.left))) {
    const row: RuleRow = { seats: [], ...(first.whole_table ? { table: true } : {}) };
    for (let seat: SeatObject | undefined = first; seat && !seen.has(seat.label); seat = seat.right === null ? undefined : seats.get(seat.right)) {
      seen.add(seat.label);
      row.seats.push({ label: seat.label, state: stateOf(seat), category: seat.category_key, accessible: seat.accessible, companion: seat.companion });
    }
    rows.push(row);
  }
  return rows;
}
