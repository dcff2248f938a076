/**
 * Counts the numbers of reports again, slowly: loops over all rows, without any code of the
 * product's reports.
 */
import type { Pool } from '#db/engine/dialect.ts';

export type Row = Record<string, unknown> & { id: string };
export type Numbers = Record<string, number[]>;

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Rome',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

export function rome(ms: unknown): { day: string; hour: number } {
  const parts = Object.fromEntries(
    clock.formatToParts(Number(ms)).map(({ type, value }) => [type, value]),
  );
  return { day: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: Number(parts['hour']) };
}

function daysBetween(day: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(day)) / 86_400_000);
}

function leadOf(days: number): string {
  if (days <= 0) return 'Il giorno stesso';
  if (days <= 1) return 'Il giorno prima';
  if (days <= 3) return '2–3 giorni prima';
  if (days <= 7) return '4–7 giorni prima';
  if (days <= 14) return '8–14 giorni prima';
  if (days <= 30) return '15–30 giorni prima';
  return days <= 60 ? '31–60 giorni prima' : 'Oltre 60 giorni prima';
}

export function into(numbers: Numbers, key: string, values: number[]): void {
  const known = numbers[key] ?? values.map(() => 0);
  numbers[key] = known.map((value, nth) => value + values[nth]!);
}

/** The present place of a line's ticket: the goal of its last move, or the line's own place. */
async function placesAfterMoves(db: Pool): Promise<(line: Row) => string> {
  const moves: Row[] = await db('moved_tickets')
    .join('moves', 'moves.id', 'moved_tickets.move_id')
    .whereIn('moves.state', ['moved', 'done'])
    .orderBy('moves.moved_at');
  const goals = new Map(moves.map((move) => [move['ticket_id'], String(move['to_place'])]));
  const tickets: Row[] = await db('tickets');
  const ticketOf = new Map(
    tickets.map((ticket) => [
      `${String(ticket['order_id'])} ${String(ticket['place'])}`,
      ticket.id,
    ]),
  );
  return (line) =>
    goals.get(ticketOf.get(`${String(line['order_id'])} ${String(line['place'])}`)) ??
    String(line['place']);
}

const alive = ['requested', 'pending', 'requires_action', 'succeeded'];

/** The sales of these events, on all days or `within` some, figure by figure. */
export async function slowSales(
  db: Pool,
  event_ids: readonly string[],
  within: { from: string; to: string } | null = null,
) {
  const all = async (table: string): Promise<Row[]> => db(table).select();
  const [events, orders, lines, places, payments, refunds] = [
    await all('events'),
    await all('orders'),
    await all('order_lines'),
    await all('places'),
    await all('payments'),
    await all('refunds'),
  ];
  const byName = new Map(
    places.map((one) => [`${String(one['event_id'])} ${String(one['place'])}`, one]),
  );
  const placeOf = await placesAfterMoves(db);
  const isIn = (ms: unknown) => {
    const { day } = rome(ms);
    return within === null || (day >= within.from && day <= within.to);
  };
  const channel: Numbers = { Sito: [0, 0, 0], Cassa: [0, 0, 0], Gratuiti: [0, 0, 0] };
  const [hours, leads, types, categories]: [Numbers, Numbers, Numbers, Numbers] = [{}, {}, {}, {}];
  const [days, back]: [Numbers, Numbers] = [{}, {}];
  let [paid, fees, refunded, refundedFees] = [0, 0, 0, 0];
  for (const order of orders) {
    if (order['state'] !== 'confirmed' || !event_ids.includes(String(order['event_id']))) continue;
    const evening = rome(events.find(({ id }) => id === order['event_id'])!['starts_at']).day;
    const { day, hour } = rome(order['confirmed_at']);
    const own = lines.filter(({ order_id }) => order_id === order.id);
    if (isIn(order['confirmed_at'])) {
      let value = 0;
      for (const line of own) {
        const cents = Number(line['price_cents']) + Number(line['fee_cents']);
        value += cents;
        fees += Number(line['fee_cents']);
        const place = byName.get(`${String(line['event_id'])} ${placeOf(line)}`)!;
        into(types, String(line['type_label']), [1, cents]);
        into(categories, String(place['category']), [1, cents]);
      }
      const sold = [1, own.length, value];
      const paying = order['channel'] === 'web' ? 'Sito' : 'Cassa';
      into(channel, order['total_cents'] === 0 ? 'Gratuiti' : paying, sold);
      into(hours, `${String(hour).padStart(2, '0')}–${String(hour + 1).padStart(2, '0')}`, sold);
      into(leads, leadOf(daysBetween(day, evening)), sold);
      into(days, day, [0, 1, own.length]);
    }
    for (const payment of payments) {
      if (payment['order_id'] !== order.id || !isIn(payment['paid_at'])) continue;
      paid += Number(payment['amount_cents']);
      into(days, rome(payment['paid_at']).day, [Number(payment['amount_cents']), 0, 0]);
    }
    for (const refund of refunds) {
      if (refund['order_id'] !== order.id || !alive.includes(String(refund['state']))) continue;
      const at = refund['decided_at'] ?? refund['created_at'];
      if (!isIn(at)) continue;
      refunded += Number(refund['amount_cents']);
      refundedFees += Number(refund['fee_cents']);
      into(back, rome(at).day, [1, Number(refund['amount_cents']), Number(refund['fee_cents'])]);
    }
  }
  return {
    sums: { paid, fees, refunded, refundedFees },
    by_channel: channel,
    by_hour: hours,
    lead_time: leads,
    by_type: types,
    by_category: categories,
    by_day: days,
    refunds: back,
  };
}

/** The visitors of these evenings. */
export async function slowDoor(db: Pool, event_ids: readonly string[]) {
  const scans: Row[] = await db('admissions').whereIn('event_id', event_ids as string[]);
  const sums = { tickets: 0, entered: 0, missing: 0, reentries: 0, exits: 0, overrides: 0 };
  const odd = { conflicts: 0, undone: 0 };
  const curve: Record<string, number> = {};
  const missing: Numbers = {};
  for (const event_id of event_ids) {
    const event: Row = await db('events').where({ id: event_id }).first();
    const came = new Set<string>();
    const inOrder = scans
      .filter((scan) => scan['event_id'] === event_id)
      .toSorted((one, other) => Number(one['corrected_at']) - Number(other['corrected_at']));
    for (const scan of inOrder) {
      const touched = scan['counts'] === 1 || scan['conflict_with'] !== null;
      if (touched && scan['annulled_by'] !== null) odd.undone += 1;
      if (scan['annulled_by'] === null && scan['conflict_with'] !== null) odd.conflicts += 1;
      if (scan['counts'] !== 1 || scan['annulled_by'] !== null || scan['conflict_with'] !== null)
        continue;
      if (scan['override'] !== null) sums.overrides += 1;
      if (scan['direction'] === 'out') sums.exits += 1;
      else if (came.has(String(scan['ticket_id']))) sums.reentries += 1;
      else {
        came.add(String(scan['ticket_id']));
        sums.entered += 1;
        const minutes = (Number(scan['corrected_at']) - Number(event['starts_at'])) / 60_000;
        const key = `${Math.floor(minutes / 5) * 5} ${String(scan['gate'] ?? '')}`;
        curve[key] = (curve[key] ?? 0) + 1;
      }
    }
    for (const ticket of (await db('tickets').where({ event_id, state: 'valid' })) as Row[]) {
      const { place } = ticket as Row & { place: string };
      const { category } = await db('places').where({ event_id, place }).first();
      const isMissing = came.has(ticket.id) ? 0 : 1;
      into(missing, category, [1, isMissing]);
      sums.tickets += 1;
      sums.missing += isMissing;
    }
  }
  return { sums: { ...sums, ...odd }, curve, missing };
}

/** The occupancy of these events by category: places, sold, gifts, waiting, blocked, left. */
export async function slowHall(db: Pool, event_ids: readonly string[]): Promise<Numbers> {
  const filled: Numbers = {};
  const orders: Row[] = await db('orders');
  for (const event_id of event_ids) {
    const placeOf = async (table: string, where: object): Promise<Map<unknown, Row>> => {
      const rows: Row[] = await db(table).where({ event_id, ...where });
      return new Map(rows.map((row) => [row['place'], row]));
    };
    const lines = await placeOf('order_lines', { released_at: null });
    const tickets = await placeOf('tickets', { state: 'valid' });
    const blocked = await placeOf('blocked_places', { state: 'live' });
    for (const { place, category } of await db('places').where({ event_id, in_hall: 1 })) {
      const line = lines.get(place);
      const order = line && orders.find(({ id }) => id === line['order_id']);
      const isFree =
        line !== undefined && Number(line['price_cents']) + Number(line['fee_cents']) === 0;
      let state = blocked.has(place) || line ? 4 : 5;
      if (order && ['booking', 'awaiting_payment'].includes(String(order['state']))) state = 3;
      if (tickets.has(place)) state = isFree ? 2 : 1;
      const row = [1, 0, 0, 0, 0, 0];
      row[state]! += 1;
      into(filled, category, row);
    }
  }
  return filled;
}
