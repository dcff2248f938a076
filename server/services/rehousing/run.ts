/**
 * Carries out a change of hall: books places in the new hall, moves our database in one
 * transaction, then frees the old hall (RULES H3). Each step may be repeated.
 */
import { lockEvent, requireEventRow } from '#db/event/events.ts';
import {
  countBusyOrders,
  findRehousing,
  linesToRehouse,
  noteTaken,
  openRehousing,
  pauseSale,
  rehousedLines,
  replaceRehousedLines,
  takenLines,
  turnRehousing,
  type HousedLine,
} from '#db/seat/rehousings.ts';
import type { RehousedLineRow, RehousingRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { SeatObject, SeatRequest } from '#server/adapters/seatsio.ts';
import { callOffMs, type HallPlace } from '#server/domain/seat/rehousing.ts';
import { bookedType } from '#server/domain/seat/whole.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { freeSeatKey } from '#server/services/event/chart.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { noteLicence } from '#server/services/event/licence.ts';
import { withLease } from '#server/services/payment/order-lease.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { commitRehousing } from './commit.ts';
import { endLeftOut, requireToldRefunds } from './left-out.ts';
import { readWhole, sizeOfWhole, termsOfRun } from './house.ts';
import { requireTimeToAnswer } from './place.ts';
import { plannedRehousing, solvedLines } from './plan.ts';
import { rehousingInWords } from './words.ts';

/** A run that was started, so that it has an event at the seat map. */
type StartedRun = RehousingRow & { seatsio_event_key: string; started_at: number };

/** The pause before payments and moves in progress are looked at again. */
const lookAgainMs = 1_000;

interface StartAsk {
  version: number;
  refunds: boolean;
  /** How many mails the preview showed. */ mails: number;
  /** How many tickets that lose value the preview showed. */ lost: number;
  /** How many tickets are refunded because they have no place, and their money in cents. */
  refunded: number;
  refunded_cents: number;
  actor: Actor;
}

/** Stops the sale and starts the worker. Refuses as the contract of startRehousing says. */
export async function startRehousing(ctx: Ctx, event_id: string, ask: StartAsk) {
  const row = await plannedRehousing(ctx, event_id, ask.version);
  const shown = await rehousingInWords(ctx, row.id, await readWhole(ctx, row));
  if (shown.counts.unplaced > 0)
    throw new Refusal('rehousing_unplaced', { tickets: shown.counts.unplaced });
  if (shown.counts.mails !== ask.mails)
    throw new Refusal('rehousing_changed', { mails: shown.counts.mails });
  requireToldRefunds(shown.counts, ask);
  const lost = ask.refunds ? shown.counts.lost_with_refunds : shown.counts.lost_without;
  if (lost !== ask.lost) throw new Refusal('rehousing_losses', { tickets: lost });
  const seatsio_event_key = await freeSeatKey(ctx, event_id, row.chart_key);
  await transact(ctx.db, async (trx) => {
    const event = await lockEvent(trx, event_id);
    if (event?.status === 'cancelled') throw new Refusal('rehousing_refused');
    if (event) requireTimeToAnswer(ctx, event, row);
    // Otherwise this run would at its end open a sale that a person has paused.
    if (event?.sale_paused === 1) throw new Refusal('rehousing_sale_paused');
    const isFirst = await turnRehousing(trx, row, {
      state: 'taking',
      seatsio_event_key,
      refunds: ask.refunds ? 1 : 0,
      fault: null,
      actor: ask.actor,
      started_at: ctx.now(),
      commit_at: null,
    });
    if (!isFirst) throw new Refusal('rehousing_changed');
    // An earlier version would look for places for the tickets that are to be refunded.
    if (ask.refunded > 0) await raiseFloor(ctx, trx, '1.8.0');
    await pauseSale(trx, event_id, 1);
    await queueTask(ctx, trx, { task: 'run_rehousing', subject: row.id });
    await happened(ctx, trx, {
      actor: ask.actor,
      action: 'rehousing_started',
      subject: event_id,
      detail: {
        rehousing_id: row.id,
        chart_key: row.chart_key,
        tickets: shown.counts.moves,
        refunds: ask.refunds,
        lost,
        refunded: ask.refunded,
        refunded_cents: ask.refunded_cents,
      },
    });
  });
  return rehousingInWords(ctx, row.id, await readWhole(ctx, row));
}

/**
 * Calls the run off, before any mail is sent: deletes the new hall's event, and everybody keeps
 * their place.
 * @throws Refusal rehousing_not_found, rehousing_running
 */
export async function callOffRehousing(ctx: Ctx, event_id: string, actor: Actor) {
  const row = await openRehousing(ctx.db, event_id);
  if (!row) throw new Refusal('rehousing_not_found');
  await giveBack(ctx, row, { actor, fault: null });
  return rehousingInWords(ctx, row.id, await readWhole(ctx, row));
}

async function giveBack(
  ctx: Ctx,
  row: RehousingRow,
  { actor, fault }: { actor: Actor; fault: string | null },
): Promise<void> {
  if (row.state !== 'taking' && row.state !== 'waiting') throw new Refusal('rehousing_running');
  await transact(ctx.db, async (trx) => {
    if (!(await turnRehousing(trx, row, { state: 'giving_back', fault })))
      throw new Refusal('rehousing_running');
    await queueTask(ctx, trx, { task: 'run_rehousing', subject: row.id });
    await happened(ctx, trx, {
      actor,
      action: 'rehousing_called_off',
      subject: row.event_id,
      detail: { rehousing_id: row.id, reason: fault },
    });
  });
}

/**
 * Opens the sale again after a change of hall that ended blocks or contingents; only a person
 * calls this.
 * @throws Refusal event_not_found, rehousing_running
 */
export async function resumeSale(ctx: Ctx, event_id: string, actor: Actor): Promise<void> {
  await knownEvent(ctx, event_id);
  await transact(ctx.db, async (trx) => {
    const event = await lockEvent(trx, event_id);
    const row = await openRehousing(trx, event_id);
    if (row && row.state !== 'planned') throw new Refusal('rehousing_running');
    if (event?.sale_paused !== 1) return;
    await pauseSale(trx, event_id, 0);
    await happened(ctx, trx, { actor, action: 'sale_resumed', subject: event_id });
  });
}

/**
 * The worker's task: continues with the run's present step. Returns when to run again, or null
 * when the run has ended.
 */
export async function runRehousing(ctx: Ctx, id: string): Promise<number | null> {
  const found = await findRehousing(ctx.db, id);
  if (found?.seatsio_event_key == null || found.started_at === null) return null;
  const { seatsio_event_key, started_at } = found;
  const row = { ...found, seatsio_event_key, started_at };
  if (row.state === 'taking') return takeSeats(ctx, row);
  if (row.state === 'waiting') return moveBook(ctx, row);
  if (row.state === 'moved') return leaveOldHall(ctx, row);
  if (row.state === 'giving_back') return leaveNewHall(ctx, row);
  return null;
}

/** Books everybody in the new hall, order by order, except what is booked already. */
async function takeSeats(ctx: Ctx, row: StartedRun): Promise<number | null> {
  const again = ctx.now() + lookAgainMs;
  if ((await countBusyOrders(ctx.db, row.event_id, ctx.now())) > 0) return again;
  const event = await requireEventRow(ctx.db, row.event_id);
  try {
    await ctx.seats.ensureEvent(row.seatsio_event_key, {
      chartKey: row.chart_key,
      name: event.title || event.id,
    });
    await ctx.seats.limitHolds(row.seatsio_event_key, event.max_seats);
    ctx.fault('rehousing_hall_made');
    if (!(await planNewcomers(ctx, row))) return ctx.now();
    await bookAll(ctx, row);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // The chart has changed. So far only the new hall was changed, so the run can be called off.
    await giveBack(ctx, row, { actor: 'system', fault: 'hall_changed' });
    return ctx.now();
  }
  ctx.fault('rehousing_taken');
  const commit_at = ctx.now() + callOffMs;
  const isOurs = await transact(ctx.db, (trx) =>
    turnRehousing(trx, row, { state: 'waiting', commit_at }),
  );
  return isOurs ? commit_at : ctx.now();
}

/**
 * Gives places to orders that were made after the plan. False: there are not enough places, and
 * the run is called off.
 */
async function planNewcomers(ctx: Ctx, row: StartedRun): Promise<boolean> {
  const planned = (await rehousedLines(ctx.db, row)).filter(isSettled);
  const known = new Set(planned.map(({ line_id }) => line_id));
  if ((await linesToRehouse(ctx.db, row.event_id)).every(({ id }) => known.has(id))) return true;
  const whole = await readWhole(ctx, row);
  const alive = new Set(whole.house.lines.map(({ id }) => id));
  const kept = planned.filter(({ line_id }) => alive.has(line_id));
  // The new hall may have booked an order that has ended meanwhile. Its lines stay in the plan,
  // so that leaveOldHall() finds and frees the places.
  const gone = planned.filter(({ line_id }) => !alive.has(line_id));
  const places = withoutPlaces(whole.hall.places, gone);
  const now = await solvedLines(row, { ...whole, hall: { ...whole.hall, places } }, kept);
  await transact(ctx.db, (trx) => replaceRehousedLines(trx, row.id, [...now, ...gone]));
  if (now.every(isSettled)) return true;
  await giveBack(ctx, row, { actor: 'system', fault: 'newcomer_unplaced' });
  return false;
}

/** A place is found for the line, or it is to be refunded. */
function isSettled({ to_object, refund_marked }: RehousedLineRow): boolean {
  return to_object !== null || refund_marked === 1;
}

/** The places that remain without those of `gone`; a standing area has fewer. */
function withoutPlaces(
  places: readonly HallPlace[],
  gone: readonly RehousedLineRow[],
): HallPlace[] {
  const taken = Map.groupBy(gone, ({ to_object }) => to_object ?? '');
  return places.flatMap((place) => {
    const many = taken.get(place.label)?.length ?? 0;
    if (many === 0) return [place];
    const isStanding = place.kind === 'area' && place.whole === 0;
    return isStanding ? [{ ...place, places: Math.max(0, place.places - many) }] : [];
  });
}

async function bookAll(ctx: Ctx, row: StartedRun): Promise<void> {
  const objects = await objectsOf(ctx, row);
  const standing = await standingAmong(ctx, row, objects.values());
  const lines = new Map(
    (await linesToRehouse(ctx.db, row.event_id)).map((line) => [line.id, line]),
  );
  const live = (await rehousedLines(ctx.db, row)).filter(
    ({ line_id, to_object }) => lines.has(line_id) && to_object !== null,
  );
  for (const [order_id, planned] of Map.groupBy(live, (one) => one.order_id)) {
    if (planned.every(({ taken }) => taken === 1)) continue;
    const wanted = requestsOf(planned, lines, standing);
    const missing = await missingOf(ctx, row, { order_id, wanted, objects });
    if (missing.length > 0) await ctx.seats.take(row.seatsio_event_key, missing, order_id);
    ctx.fault('rehousing_order_taken');
    const line_ids = planned.map(({ line_id }) => line_id);
    await noteTaken(ctx.db, row.id, line_ids);
  }
}

async function objectsOf(ctx: Ctx, row: StartedRun): Promise<Map<string, SeatObject>> {
  const all = await ctx.seats.objects(row.seatsio_event_key);
  return new Map(all.map((object) => [object.label, object]));
}

/** The labels of the areas that are sold by number. */
async function standingAmong(
  ctx: Ctx,
  row: StartedRun,
  objects: Iterable<SeatObject>,
): Promise<Set<string>> {
  const event = await requireEventRow(ctx.db, row.event_id);
  const hasMoved = row.state === 'moved';
  const terms = hasMoved ? wholeTermsOf(event) : await termsOfRun(ctx, event, row);
  const areas = [...objects].filter(
    (object) => object.kind === 'area' && sizeOfWhole(object, terms) === 0,
  );
  return new Set(areas.map(({ label }) => label));
}

/**
 * The places as requests to the seat map; a standing area gets one per ticket type, with the
 * number of places, and an object sold whole one for all of its party.
 */
function requestsOf(
  planned: readonly RehousedLineRow[],
  lines: ReadonlyMap<string, HousedLine>,
  standing: ReadonlySet<string>,
): SeatRequest[] {
  const requests = new Map<string, SeatRequest>();
  for (const { line_id, to_object } of planned) {
    const line = requireValue(lines.get(line_id), 'line');
    const label = requireValue(to_object, 'seat');
    const isArea = standing.has(label);
    const ticket_type = bookedType(line);
    const key = isArea ? `${label}\n${ticket_type}` : label;
    const many = requests.get(key)?.quantity ?? 0;
    const quantity = isArea ? many + 1 : null;
    requests.set(key, { label, quantity, ticket_type });
  }
  return [...requests.values()];
}

interface Wanted {
  order_id: string;
  wanted: readonly SeatRequest[];
  objects: ReadonlyMap<string, SeatObject>;
}

/**
 * The requests that the seat map has not booked yet, in case an answer was lost. A request for
 * standing places is booked in full or not at all.
 */
async function missingOf(
  ctx: Ctx,
  row: StartedRun,
  { order_id, wanted, objects }: Wanted,
): Promise<SeatRequest[]> {
  const missing: SeatRequest[] = [];
  for (const request of wanted) {
    const isThere =
      request.quantity === null
        ? objects.get(request.label)?.order_id === order_id
        : (await ctx.seats.placesOf(row.seatsio_event_key, request.label, {
            orderId: order_id,
            since: row.started_at,
          })) > 0;
    if (!isThere) missing.push(request);
  }
  return missing;
}

/**
 * Waits until the run can no longer be called off and no order is being changed, then moves
 * everything in our database.
 */
async function moveBook(ctx: Ctx, row: StartedRun): Promise<number | null> {
  if (row.commit_at !== null && ctx.now() < row.commit_at) return row.commit_at;
  const objects = await ctx.seats.objects(row.seatsio_event_key);
  const outcome = await commitRehousing(ctx, row, objects);
  if (outcome === 'busy') return ctx.now() + lookAgainMs;
  if (outcome === 'overtaken') return ctx.now();
  if (outcome === 'unpaid_left_out') {
    await endLeftOut(ctx, row);
    return ctx.now() + lookAgainMs;
  }
  if (outcome !== 'moved') {
    const fault = outcome === 'cancelled' ? 'event_cancelled' : outcome;
    await giveBack(ctx, row, { actor: 'system', fault });
  }
  ctx.fault('rehousing_committed');
  return ctx.now();
}

/** Frees in the new hall what was refunded meanwhile, then ends the run. */
async function leaveOldHall(ctx: Ctx, row: StartedRun): Promise<number | null> {
  await noteLicence(ctx, await requireEventRow(ctx.db, row.event_id));
  const lines = await takenLines(ctx.db, row.event_id);
  const sold = new Set(lines.map(({ object_label }) => object_label));
  const soldIn = Map.groupBy(lines, ({ object_label }) => object_label);
  const objects = await objectsOf(ctx, row);
  const standing = await standingAmong(ctx, row, objects.values());
  for (const object of objects.values()) {
    if (standing.has(object.label)) {
      const many = soldIn.get(object.label)?.length ?? 0;
      if (!(await leaveArea(ctx, row, { label: object.label, many })))
        return ctx.now() + lookAgainMs;
    } else if (object.status === 'booked' && !sold.has(object.label) && object.order_id !== null)
      await ctx.seats.release(
        row.seatsio_event_key,
        [{ label: object.label, quantity: null, ticket_type: '' }],
        object.order_id,
      );
  }
  ctx.fault('rehousing_left');
  await transact(ctx.db, async (trx) => {
    await turnRehousing(trx, row, { state: 'done', done_at: ctx.now() });
    // If blocks or contingents ended, the office first blocks seats in the new hall and then
    // opens the sale by hand.
    if (row.fault === null) await pauseSale(trx, row.event_id, 0);
  });
  return null;
}

/**
 * Frees a standing area's places of orders that have ended meanwhile: if more are booked than
 * sold, each order gives back what it has too much. False: an order is being changed; try again.
 */
async function leaveArea(
  ctx: Ctx,
  row: StartedRun,
  { label, many }: { label: string; many: number },
): Promise<boolean> {
  const key = row.seatsio_event_key;
  const there = (await ctx.seats.infos(key, [label])).get(label);
  if (there?.area?.booked === many) return true;
  const planned = (await rehousedLines(ctx.db, row)).filter((one) => one.to_object === label);
  for (const order_id of new Set(planned.map((one) => one.order_id))) {
    // While it has the order's lease, no other process frees the order's places.
    const done = await withLease(ctx, order_id, {
      waitMs: 0,
      async run() {
        const lines = await takenLines(ctx.db, row.event_id);
        const kept = lines.filter(
          (l) => l.order_id === order_id && l.object_label === label,
        ).length;
        const since = row.started_at;
        const booked = await ctx.seats.placesOf(key, label, { orderId: order_id, since });
        const quantity = booked - kept;
        if (quantity > 0)
          await ctx.seats.release(key, [{ label, quantity, ticket_type: '' }], order_id);
      },
    });
    if (done === null) return false;
  }
  return true;
}

/** Deletes the new hall's event at the seat map; the plan can then be changed again. */
async function leaveNewHall(ctx: Ctx, row: StartedRun): Promise<null> {
  await ctx.seats.dropEvent(row.seatsio_event_key);
  ctx.fault('rehousing_given_back');
  const lines = await rehousedLines(ctx.db, row);
  const live = new Set((await linesToRehouse(ctx.db, row.event_id)).map(({ id }) => id));
  const kept = lines.filter(({ line_id }) => live.has(line_id));
  await transact(ctx.db, async (trx) => {
    const changes = { state: 'planned', seatsio_event_key: null, commit_at: null } as const;
    if (!(await turnRehousing(trx, row, changes))) return;
    await replaceRehousedLines(
      trx,
      row.id,
      kept.map((line) => ({ ...line, taken: 0 as const })),
    );
    await pauseSale(trx, row.event_id, 0);
  });
  return null;
}
