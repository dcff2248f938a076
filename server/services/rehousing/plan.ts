/**
 * Prepares a change of hall: proposes new seats, lets the office change them by hand, and solves
 * the others again (RULES H1, H2).
 */
import { countEntries } from '#db/door/admissions.ts';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import {
  insertRehousing,
  openRehousing,
  rehousedLines,
  replaceRehousedLines,
  turnRehousing,
  type HousedLine,
} from '#db/seat/rehousings.ts';
import type { EventRow, RehousedLineRow, RehousingRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { isCounterOpen } from '#server/domain/counter/counter.ts';
import type { PlacedFirst } from '#server/domain/seat/rehousing-priority.ts';
import { mayTake } from '#server/domain/seat/rehousing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import {
  placesIn,
  groupsOf,
  isSameHall,
  newHallOf,
  readChart,
  readHouse,
  readWhole,
  termsOfRun,
  usualMap,
  withoutMarked,
  type CategoryMap,
  type Whole,
} from './house.ts';
import { lastInWords } from './outcome.ts';
import { solveAside } from './solve.ts';
import { checkedNews, type NewsAsk } from './place.ts';
import { categoriesInWords, hallInWords, rehousingInWords } from './words.ts';

interface ProposeAsk {
  chart_key: string;
  categories?: Record<string, string> | undefined;
  /** Missing: what the open plan tells. */ news?: NewsAsk | undefined;
  first?: PlacedFirst | undefined;
}

/**
 * Makes a first proposal, or gives the open plan another hall. Refuses as the contract of
 * proposeRehousing says.
 */
export async function proposeRehousing(ctx: Ctx, event_id: string, ask: ProposeAsk, actor: Actor) {
  const event = await requireMovable(ctx, event_id);
  const before = await openRehousing(ctx.db, event_id);
  if (before) requirePlanned(before);
  if (ask.chart_key === event.chart_key)
    throw new Refusal('bad_request', { fields: ['chart_key'] });
  const whole = await wholeFor(ctx, event, ask);
  const row: RehousingRow = {
    id: before?.id ?? ctx.newId(),
    event_id,
    state: 'planned',
    version: (before?.version ?? 0) + 1,
    chart_key: ask.chart_key,
    seatsio_event_key: null,
    categories: JSON.stringify(whole.hall.as),
    news: ask.news ? checkedNews(ctx, event, ask.news) : (before?.news ?? null),
    refunds: before?.refunds ?? 0,
    fault: null,
    actor,
    placed_first: ask.first ?? before?.placed_first ?? 'dearer',
    created_at: before?.created_at ?? ctx.now(),
    started_at: null,
    commit_at: null,
    done_at: null,
  };
  const lines = await solvedLines(row, whole, []);
  try {
    await transact(ctx.db, async (trx) => {
      // An earlier version would leave the evening in its old place.
      if (row.news !== null) await raiseFloor(ctx, trx, '1.8.0');
      if (before && !(await turnRehousing(trx, before, row)))
        throw new Refusal('rehousing_changed');
      if (!before) await insertRehousing(trx, row);
      await replaceRehousedLines(trx, row.id, lines);
      await happened(ctx, trx, {
        actor,
        action: 'rehousing_planned',
        subject: event_id,
        detail: { rehousing_id: row.id, chart_key: row.chart_key, tickets: lines.length },
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('rehousing_changed', undefined, error);
    throw error;
  }
  return rehousingInWords(ctx, row.id, whole);
}

async function wholeFor(ctx: Ctx, event: EventRow, ask: ProposeAsk): Promise<Whole> {
  const pricing = await pricingNow(ctx, event);
  const house = await readHouse(ctx, event, pricing);
  const chart = await readChart(ctx, ask.chart_key);
  const names = new Set(pricing.map(({ category }) => category));
  const isWrong = Object.values(ask.categories ?? {}).some((name) => !names.has(name));
  if (isWrong) throw new Refusal('bad_request', { fields: ['categories'] });
  const as: CategoryMap = ask.categories ?? usualMap(chart.categories, pricing, house.lines);
  const terms = await termsOfRun(ctx, event, { categories: JSON.stringify(as) });
  return { event, pricing, house, hall: newHallOf(chart, { as, terms }, pricing) };
}

/**
 * What a proposal would cost, for the question how the new categories are sold. Refuses as the
 * contract of quoteCategories says.
 */
export async function quoteCategories(ctx: Ctx, event_id: string, ask: ProposeAsk) {
  const event = await requireMovable(ctx, event_id);
  const whole = await wholeFor(ctx, event, ask);
  const terms = { id: '', placed_first: ask.first ?? 'dearer' } as const;
  return categoriesInWords(whole, await solvedLines(terms, whole, []));
}

/** @throws Refusal event_not_found, rehousing_refused */
async function requireMovable(ctx: Ctx, event_id: string): Promise<EventRow> {
  const event = await knownEvent(ctx, event_id);
  const isOver = event.status === 'published' && !isCounterOpen(event, ctx.now());
  const isInside = (await countEntries(ctx.db, event_id)) > 0;
  if (event.status === 'cancelled' || event.rehearsal === 1 || isOver || isInside)
    throw new Refusal('rehousing_refused');
  return event;
}

function requirePlanned({ state }: RehousingRow): void {
  if (state !== 'planned') throw new Refusal('rehousing_running');
}

/**
 * The plan, if it has this version and has not been started.
 * @throws Refusal rehousing_not_found, rehousing_running, rehousing_changed
 */
export async function plannedRehousing(
  ctx: Ctx,
  event_id: string,
  version: number,
): Promise<RehousingRow> {
  const row = await openRehousing(ctx.db, event_id);
  if (!row) throw new Refusal('rehousing_not_found');
  requirePlanned(row);
  if (row.version !== version) throw new Refusal('rehousing_changed', { version: row.version });
  return row;
}

/**
 * Seats all guests who are not in `kept`; places that are booked in the new hall already keep their
 * mark `taken`, and lines to be refunded theirs.
 */
export async function solvedLines(
  { id: rehousing_id, placed_first: first }: Pick<RehousingRow, 'id' | 'placed_first'>,
  { house: all, hall }: Pick<Whole, 'house' | 'hall'>,
  kept: readonly RehousedLineRow[],
): Promise<RehousedLineRow[]> {
  const marked = kept.filter(({ refund_marked }) => refund_marked === 1);
  const house = withoutMarked(all, marked);
  const groups = groupsOf(house, placesIn(kept));
  const stay = isSameHall(hall, house);
  const { seats, unplaced } = await solveAside({ hall: hall.places, groups, stay, first });
  const reasons = new Map(unplaced.map(({ group_id, reason }) => [group_id, reason]));
  const before = new Map(kept.map((row) => [row.line_id, row]));
  const seatOf = ({ id }: HousedLine) => seats.get(house.guests.get(id)?.id ?? '') ?? null;
  const solved = house.lines.map((line) => ({
    rehousing_id,
    line_id: line.id,
    order_id: line.order_id,
    from_object: line.object_label,
    to_object: seatOf(line),
    reason:
      seatOf(line) === null
        ? (reasons.get(line.part_of ?? line.order_id) ?? ('hall_full' as const))
        : null,
    locked: before.get(line.id)?.locked ?? 0,
    taken: before.get(line.id)?.taken ?? 0,
    refund_marked: 0 as const,
  }));
  return [...solved, ...marked];
}

interface Versioned {
  version: number;
  actor: Actor;
}

/**
 * Solves again all lines that are neither locked nor marked for a refund, with the orders that
 * were made since. `first`: who gets a place first from now on.
 */
export async function solveRest(
  ctx: Ctx,
  event_id: string,
  { version, actor, first }: Versioned & { first?: PlacedFirst | undefined },
) {
  const row = await plannedRehousing(ctx, event_id, version);
  const whole = await readWhole(ctx, row);
  const locked = (await rehousedLines(ctx.db, row)).filter(
    (line) => line.locked === 1 || line.refund_marked === 1,
  );
  const live = new Set(whole.house.lines.map(({ id }) => id));
  const kept = locked.filter(({ line_id }) => live.has(line_id));
  const placed_first = first ?? row.placed_first;
  const lines = await solvedLines({ ...row, placed_first }, whole, kept);
  await storePlan(ctx, row, { actor, lines, placed_first });
  return rehousingInWords(ctx, row.id, whole);
}

type Stored = Pick<RehousingRow, 'actor'> &
  Partial<Pick<RehousingRow, 'placed_first'>> & { lines: readonly RehousedLineRow[] };

/** @throws Refusal rehousing_changed */
export async function storePlan(
  ctx: Ctx,
  row: RehousingRow,
  { lines, ...changes }: Stored,
): Promise<void> {
  await transact(ctx.db, async (trx: Trx) => {
    if (!(await turnRehousing(trx, row, { ...changes, fault: null })))
      throw new Refusal('rehousing_changed');
    await replaceRehousedLines(trx, row.id, lines);
  });
}

interface SeatWish extends Versioned {
  /** `locked` of one line replaces that of all lines. */
  lines: readonly { line_id: string; object: string | null; locked?: boolean | undefined }[];
  locked: boolean;
}

/**
 * Seats lines by hand, or takes their seats away. Guests who had those seats have none until
 * solveRest() runs. Refuses as the contract of seatByHand says.
 */
export async function seatByHand(ctx: Ctx, event_id: string, ask: SeatWish) {
  const row = await plannedRehousing(ctx, event_id, ask.version);
  const whole = await readWhole(ctx, row);
  const asked = ask.lines.flatMap((one) =>
    togetherWith(whole.house, one.line_id).map((line_id) => ({ ...one, line_id })),
  );
  const wishes = new Map(asked.map(({ line_id, object }) => [line_id, object]));
  const locks = new Map(asked.map(({ line_id, locked }) => [line_id, locked]));
  requireFitting(whole, wishes);
  const before = await rehousedLines(ctx.db, row);
  const known = new Set(before.map(({ line_id }) => line_id));
  if (ask.lines.some(({ line_id }) => !known.has(line_id))) throw new Refusal('ticket_not_found');
  const areas = new Set(
    whole.hall.places.filter((p) => p.kind === 'area' && p.whole === 0).map((p) => p.label),
  );
  const wanted = new Set(
    [...wishes.values()].filter((object) => object !== null && !areas.has(object)),
  );
  const others = before.filter(
    ({ line_id, to_object }) => !wishes.has(line_id) && wanted.has(to_object),
  );
  const isLocked = others
    .filter(({ locked }) => locked === 1)
    .flatMap(({ to_object }) => to_object ?? []);
  if (isLocked.length > 0) throw new Refusal('seats_not_free', { objects: isLocked });
  const put = new Set(others.map(({ line_id }) => line_id));
  const lines = before.map((line): RehousedLineRow => {
    if (put.has(line.line_id)) return { ...line, to_object: null, reason: 'hall_full' };
    const to_object = wishes.get(line.line_id);
    if (to_object === undefined) return line;
    const reason = to_object === null ? (line.reason ?? 'hall_full') : null;
    const isLocked = (locks.get(line.line_id) ?? ask.locked) && to_object !== null;
    const refund_marked = to_object === null ? line.refund_marked : 0;
    return { ...line, to_object, reason, locked: isLocked ? 1 : 0, refund_marked };
  });
  requireRoom(whole, lines);
  await storePlan(ctx, row, { actor: ask.actor, lines });
  return rehousingInWords(ctx, row.id, whole);
}

/**
 * @throws Refusal object_unknown, bad_request for a seat that is named twice or is of another
 * kind
 */
function requireFitting({ house, hall }: Whole, wishes: ReadonlyMap<string, string | null>): void {
  const places = new Map(hall.places.map((place) => [place.label, place]));
  for (const group of groupsOf(house, new Map()))
    for (const guest of group.guests) {
      const label = wishes.get(guest.id) ?? null;
      if (label === null) continue;
      const place = places.get(label);
      if (!place) throw new Refusal('object_unknown', { objects: [label] });
      // By hand, any guest may get a wheelchair or companion place.
      const asked = { ...guest, accessible: place.accessible };
      const isFitting = mayTake(
        asked,
        { ...group, guests: [asked] },
        { ...place, companion: false },
      );
      if (!isFitting) throw new Refusal('bad_request', { fields: ['lines'], objects: [label] });
    }
}

/** All lines of an object that was sold whole: its party moves together. */
export function togetherWith({ lines, guests }: Whole['house'], line_id: string): string[] {
  const guest = guests.get(line_id);
  if (!guest) return [line_id];
  return lines.filter(({ id }) => guests.get(id) === guest).map(({ id }) => id);
}

/** @throws Refusal seats_not_free */
function requireRoom({ house, hall }: Whole, lines: readonly RehousedLineRow[]): void {
  const room = new Map(hall.places.map(({ label, places }) => [label, places]));
  for (const { line_id, to_object } of lines) {
    const isFirst = (house.guests.get(line_id)?.id ?? line_id) === line_id;
    if (to_object === null || !isFirst) continue;
    const left = (room.get(to_object) ?? 0) - 1;
    if (left < 0) throw new Refusal('seats_not_free', { objects: [to_object] });
    room.set(to_object, left);
  }
}

/**
 * Drops a plan that has not been started.
 * @throws Refusal rehousing_not_found, rehousing_running, rehousing_changed
 */
export async function dropRehousing(ctx: Ctx, event_id: string, ask: Versioned): Promise<void> {
  const row = await plannedRehousing(ctx, event_id, ask.version);
  await transact(ctx.db, async (trx) => {
    if (!(await turnRehousing(trx, row, { state: 'dropped' })))
      throw new Refusal('rehousing_changed');
  });
}

/** Null if no change of hall is planned or running. @throws Refusal event_not_found */
export async function rehousingForOffice(ctx: Ctx, event_id: string) {
  await knownEvent(ctx, event_id);
  const row = await openRehousing(ctx.db, event_id);
  if (!row) return { rehousing: null, last: await lastInWords(ctx, event_id) };
  return { rehousing: await rehousingInWords(ctx, row.id, await readWhole(ctx, row)), last: null };
}

/** @throws Refusal event_not_found, rehousing_not_found */
export async function hallForOffice(ctx: Ctx, event_id: string) {
  await knownEvent(ctx, event_id);
  const row = await openRehousing(ctx.db, event_id);
  if (!row) throw new Refusal('rehousing_not_found');
  return hallInWords(await readWhole(ctx, row));
}
