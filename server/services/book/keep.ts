/**
 * Writes what has happened into the books of all events: entries of the Registro (a seal covers a
 * batch of them), tickets and scans, and payments that had no Stripe fee yet.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { unsealedSince } from '#db/audit/audit-seals.ts';
import {
  changeBook,
  closedShiftsAmong,
  doorsBehind,
  eventsOfShift,
  ordersAmong,
  ordersAfterSeq,
  scansAfterSeq,
  sealsAfter,
  shiftSums,
  subjectsUnder,
  unsealedSubjects,
  waitingOrders,
  type DoorBehind,
  type ClosedShiftRow,
} from '#db/book.ts';
import { claimPeriod, putSetting, readSetting } from '#db/settings.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { closeDay } from './days.ts';
import { houseKey } from './key.ts';
import { ordersAtOnce, writeEvent, writeOnce, writeOrders, writeScans } from './write.ts';

const everyMs = 10_000;
/** Seals per run; each covers at most 500 entries. */
const sealsAtOnce = 4;
const scansAtOnce = 200;
/** After this time we stop waiting for a fee; a later change of the order still writes it. */
const waitMs = 40 * 24 * 3_600_000;
const waitingAtOnce = 200;
const sealKey = 'book_seal';

/** Runs on the schedule; only one process writes at a time. */
export async function keepBooks(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const now = ctx.now();
  await houseKey(ctx);
  if (!(await claimPeriod(ctx.db, 'books_kept', { now, notSince: now - everyMs }))) return;
  while (!stopping.aborted && (await followSeals(ctx, stopping))) await yieldToLoop();
  await followDoors(ctx, stopping);
  await followWaiting(ctx, stopping);
  if (!stopping.aborted) await closeDay(ctx);
}

/** Writes what an event's book still lacks; call it before the book is sent. */
export async function catchUp(ctx: Ctx, event_id: string): Promise<void> {
  const never = new AbortController().signal;
  while (await followSeals(ctx, never)) await yieldToLoop();
  await follow(ctx, await unsealedSubjects(ctx.db, await unsealedSince(ctx.db)), never);
  await followDoors(ctx, never, event_id);
  await followWaiting(ctx, never, event_id);
  await writeEvent(ctx, event_id);
}

/**
 * Writes what the next seals cover; false if there is no further seal. A repeat after an
 * interruption finds most rows already written.
 */
async function followSeals(ctx: Ctx, stopping: AbortSignal): Promise<boolean> {
  const known = Number((await readSetting(ctx.db, sealKey)) ?? 0);
  const seals = await sealsAfter(ctx.db, known, sealsAtOnce);
  const to = seals.at(-1)?.n;
  if (to === undefined) return false;
  await follow(ctx, await subjectsUnder(ctx.db, { from: known + 1, to }), stopping);
  if (stopping.aborted) return false;
  await putSetting(ctx.db, sealKey, String(to));
  ctx.fault('books_followed');
  return true;
}

/** Writes the orders and closed shifts among these subjects of the Registro. */
async function follow(ctx: Ctx, subjects: readonly string[], stopping: AbortSignal): Promise<void> {
  const orders = [];
  const shifts = [];
  for (const some of inLots(subjects, 500)) {
    orders.push(...(await ordersAmong(ctx.db, some)));
    shifts.push(...(await closedShiftsAmong(ctx.db, some)));
  }
  await writeAll(ctx, orders, stopping);
  for (const shift of shifts) await writeShift(ctx, shift);
}

async function writeAll(
  ctx: Ctx,
  orders: readonly { id: string; event_id: string }[],
  stopping: AbortSignal,
): Promise<void> {
  for (const [event_id, those] of Map.groupBy(orders, (order) => order.event_id))
    for (const some of inLots(those, ordersAtOnce)) {
      if (stopping.aborted) return;
      await writeOrders(
        ctx,
        event_id,
        some.map(({ id }) => id),
      );
      await yieldToLoop();
    }
}

function inLots<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, nth) =>
    all.slice(nth * size, (nth + 1) * size),
  );
}

/** Writes all tickets and scans of the door's list since the last run; for a new book, all. */
async function followDoors(ctx: Ctx, stopping: AbortSignal, event_id?: string): Promise<void> {
  for (const door of await doorsBehind(ctx.db, event_id)) {
    if (stopping.aborted) return;
    await followDoor(ctx, door, stopping);
  }
}

async function followDoor(
  ctx: Ctx,
  { id: event_id, known_seq: after, feed_seq: to }: DoorBehind,
  stopping: AbortSignal,
): Promise<void> {
  const ids = await ordersAfterSeq(ctx.db, event_id, { after, to });
  await writeAll(
    ctx,
    ids.map((id) => ({ id, event_id })),
    stopping,
  );
  for (const scans of inLots(await scansAfterSeq(ctx.db, event_id, { after, to }), scansAtOnce)) {
    if (stopping.aborted) return;
    await writeScans(ctx, event_id, scans);
    await yieldToLoop();
  }
  if (!stopping.aborted) await changeBook(ctx.db, event_id, { feed_seq: to });
}

/** Writes the orders that still wait for a fee: the latest of all events, or all of one event. */
async function followWaiting(ctx: Ctx, stopping: AbortSignal, event_id?: string): Promise<void> {
  const since = ctx.now() - waitMs;
  const waiting = await waitingOrders(
    ctx.db,
    event_id === undefined ? { since, limit: waitingAtOnce } : { since, event_id },
  );
  await writeAll(
    ctx,
    waiting.map((order) => ({ id: order.order_id, event_id: order.event_id })),
    stopping,
  );
}

/** Writes a closed shift into the book of each event that it sold, with that event's sums. */
async function writeShift(ctx: Ctx, shift: ClosedShiftRow): Promise<void> {
  const taken = await shiftSums(ctx.db, 'payments', shift.id);
  const given = await shiftSums(ctx.db, 'refunds', shift.id);
  const events = new Set([
    ...(await eventsOfShift(ctx.db, shift.id)),
    ...[...taken, ...given].map(({ event_id }) => event_id),
  ]);
  for (const event_id of events) {
    const of = (sums: typeof taken) =>
      sums
        .filter((sum) => sum.event_id === event_id)
        .map(({ method, cents }) => ({ method: method ?? 'other', cents }));
    await writeOnce(ctx, event_id, {
      subject: `shift ${shift.id}`,
      at: shift.closed_at,
      fact: () => ({
        kind: 'shift',
        till: shift.till_name,
        opened_at: isoOf(shift.opened_at),
        closed_at: isoOf(shift.closed_at),
        float_cents: shift.float_cents,
        expected_cents: shift.expected_cents ?? 0,
        counted_cents: shift.counted_cents ?? 0,
        taken: of(taken),
        given_back: of(given),
      }),
    });
  }
}
