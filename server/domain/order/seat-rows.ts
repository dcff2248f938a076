/** The rows of a chart for the seat rules: which seats are the caller's, and which are free. */
import { priceOf, type PricedCategory } from '#server/domain/price/pricing.ts';
import type { RuleRow } from '#server/domain/seat/seating.ts';

/** An object of the chart, as the seat map has it now. */
interface ChartObject {
  label: string;
  kind: string;
  category_key: string;
  category: string;
  status: string;
  for_sale: boolean;
  hold_token: string | null;
  /** The labels of its neighbours. */
  left: string | null;
  right: string | null;
  accessible: boolean;
  companion: boolean;
  /** The label of the table to which a seat belongs. */
  at_table: string | null;
}

interface RowsAsk {
  pricing: readonly PricedCategory[];
  mine: ReadonlySet<string>;
  hold_token: string;
}

/**
 * Every row of the chart, or only those with a seat in `mine`. A row goes from neighbour to
 * neighbour and ends at an aisle, where seats.io has no neighbour.
 */
export function seatRowsOf(
  objects: ReadonlyMap<string, ChartObject>,
  { pricing, mine, hold_token }: RowsAsk,
  which: 'all' | 'mine',
): RuleRow[] {
  const isSold = soldBy(pricing);
  const seatAt = (label: string | null) => {
    const object = label === null ? undefined : objects.get(label);
    return object?.kind === 'seat' ? object : undefined;
  };
  const stateOf = (object: ChartObject) => {
    if (mine.has(object.label)) return 'mine' as const;
    const open =
      object.status === 'free' ||
      (object.status === 'reservedByToken' && object.hold_token === hold_token);
    return open && object.for_sale && isSold(object) ? ('free' as const) : ('other' as const);
  };
  const rows: RuleRow[] = [];
  const seen = new Set<string>();
  for (const any of which === 'all'
    ? objects.values()
    : [...mine].map((label) => objects.get(label))) {
    if (any?.kind !== 'seat' || seen.has(any.label)) continue;
    let first = any;
    // The seats round a table form a circle, so the walk to the left ends where it began.
    for (
      let left = seatAt(first.left);
      left && left !== any && !seen.has(left.label);
      left = seatAt(left.left)
    )
      first = left;
    const row: RuleRow = { seats: [], ...(first.at_table !== null ? { table: true } : {}) };
    for (
      let seat: ChartObject | undefined = first;
      seat && !seen.has(seat.label);
      seat = seatAt(seat.right)
    ) {
      seen.add(seat.label);
      row.seats.push({
        label: seat.label,
        state: stateOf(seat),
        category: seat.category_key,
        accessible: seat.accessible,
        companion: seat.companion,
      });
    }
    rows.push(row);
  }
  return rows;
}

/** Returns a function that tells whether any ticket type is sold for an object's category. */
function soldBy(pricing: readonly PricedCategory[]): (object: ChartObject) => boolean {
  const sold = new Map<string, boolean>();
  return ({ category_key: key, category: label }) => {
    const known = sold.get(key);
    if (known !== undefined) return known;
    const now = pricing.some(({ ticketTypes }) =>
      ticketTypes.some((type) => priceOf(pricing, { key, label }, type.ticketType)),
    );
    sold.set(key, now);
    return now;
  };
}
