/**
 * Moves waiting rooms on, once a second: draws when it is time, gives late comers numbers, calls
 * the next visitors, and mails those whose turn is near (RULES F2, F3).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import {
  callPlaces,
  changePlace,
  countCalled,
  forgetQueueMails,
  numberPlaces,
  placesToTell,
  withoutNumber,
} from '#db/queue/queue-places.ts';
import { changeQueue, claimQueue, type Room } from '#db/queue/queues.ts';
import type { QueueRow } from '#db/rows.ts';
import { autoTurn, measuredPace, nextRate, stepCounter } from '#server/domain/queue/pace.ts';
import { nearUpTo } from '#server/domain/queue/queue.ts';
import type { Ctx } from '#server/services/context.ts';
import { storeMail } from '#server/services/kit/mail-queue.ts';
import { drawStep } from './draw.ts';
import { keepGuard } from './guard.ts';
import { p95Now, tellLoad } from './load.ts';
import { forgetRooms, opensAt, phaseOfRoom, rateOf, roomsNow } from './rooms.ts';

const everyMs = 1_000;
/** A room moves on at most once in this time, however many processes run this. */
const leastMs = 900;
/** The most late comers that get a number, and the most mails, in one step. */
const mostAtOnce = 5_000;
const mostMails = 200;

/**
 * Runs once a second while there are rooms, because visitors would notice the three seconds between
 * two runs of the worker.
 */
export async function paceQueues(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await stepQueues(ctx)))
    await pause(everyMs, undefined, { signal: stopping }).catch(() => undefined);
}

/** False if there are no rooms. */
export async function stepQueues(ctx: Ctx): Promise<boolean> {
  const rooms = [...(await roomsNow(ctx)).values()];
  if (rooms.length > 0) await tellLoad(ctx);
  for (const room of rooms)
    await stepRoom(ctx, room).catch((error: unknown) =>
      ctx.log.error({ err: error, event_id: room.event_id }, 'a waiting room did not move'),
    );
  return rooms.length > 0;
}

async function stepRoom(ctx: Ctx, known: Room): Promise<void> {
  await keepGuard(ctx, known);
  const now = ctx.now();
  const isOurs = await transact(ctx.db, async (trx) => {
    const claim = await claimQueue(trx, known.event_id, { now, everyMs: leastMs });
    if (!claim) return false;
    const { seatsio_event_key, sales_opens_at, status } = known;
    const room = { ...claim.row, seatsio_event_key, sales_opens_at, status };
    await moveOn(ctx, trx, { room, now, elapsedMs: claim.elapsedMs });
    return true;
  });
  if (isOurs) forgetRooms(ctx);
}

interface Step {
  room: Room;
  now: number;
  elapsedMs: number;
}

async function moveOn(ctx: Ctx, trx: Trx, step: Step): Promise<void> {
  const { room, now } = step;
  const { event_id } = room;
  const changes = await rateStep(trx, room, now);
  const phase = phaseOfRoom({ ...room, ...changes });
  if (phase === 'closed') await forgetQueueMails(trx, event_id);
  if (phase === 'before' && now >= (opensAt(room) ?? 0))
    Object.assign(changes, await drawStep(trx, room, now));
  if (phase === 'open' || phase === 'paused')
    Object.assign(changes, await callNext(trx, step, { isOpen: phase === 'open' }));
  await changeQueue(trx, event_id, { paced_at: now, ...changes });
  if (phase === 'open') await tellNear(ctx, trx, { ...room, ...changes });
}

/** Once per window: sets the measured rate, and opens or ends an automatic room. */
async function rateStep(trx: Trx, room: QueueRow, now: number): Promise<Partial<QueueRow>> {
  if (Math.abs(now - room.rated_at) < measuredPace.windowMs) return {};
  if (room.fixed_per_minute !== null && room.mode !== 'auto') return {};
  const p95 = await p95Now(trx, now);
  const waiting = room.last > room.serving;
  const isOpen = room.opened_at !== null;
  const turn =
    room.mode === 'auto' ? autoTurn({ isOpen, p95, waiting, slowAt: room.slow_at, now }) : null;
  return {
    rated_at: now,
    per_minute: nextRate(room.per_minute, { p95, waiting }),
    ...(p95 !== null && p95 > measuredPace.slowMs ? { slow_at: now } : {}),
    ...(turn === 'open' ? { opened_at: now } : {}),
    ...(turn === 'end' ? { opened_at: null } : {}),
  };
}

/** Gives new visitors their numbers, then calls as many as the rate allows. */
async function callNext(
  trx: Trx,
  { room, now, elapsedMs }: Step,
  { isOpen }: { isOpen: boolean },
): Promise<Partial<QueueRow>> {
  const { event_id, serving, credit, most_inside } = room;
  const late = await withoutNumber(trx, event_id, mostAtOnce);
  await numberPlaces(
    trx,
    late.map(({ place_hash }) => place_hash),
    room.last,
  );
  const last = room.last + late.length;
  if (!isOpen) return { last };
  const counter = stepCounter(
    { serving, credit },
    {
      per_minute: rateOf(room),
      elapsedMs,
      last,
      room: most_inside === null ? last : most_inside - (await countInside(trx, room, now)),
    },
  );
  await callPlaces(trx, { event_id, after: serving, upTo: counter.serving }, now);
  return { last, ...counter };
}

/** Counts the visitors who were called and may still come in, and those with a pass. */
async function countInside(trx: Trx, { event_id, minutes }: Room, now: number): Promise<number> {
  const since = now - longestInsideMs - minutes * 60_000;
  const { called, inside } = await countCalled(trx, event_id, { now, minutes, since });
  return called + inside;
}
/** Longer than any pass: sixty minutes at most, and two extensions of ten. */
const longestInsideMs = 90 * 60_000;

/** Mails visitors whose turn is near, and deletes their addresses with it (RULES F5). */
async function tellNear(ctx: Ctx, trx: Trx, room: Room): Promise<void> {
  const { event_id, serving } = room;
  const upTo = nearUpTo({ serving, per_minute: rateOf(room) });
  const places = await placesToTell(trx, event_id, { upTo, limit: mostMails });
  for (const { place_hash, email } of places) {
    await changePlace(trx, { place_hash }, { email: null });
    await storeMail(ctx, trx, {
      order_id: null,
      event_id,
      kind: 'queue_near',
      key: place_hash,
      to_address: email,
    });
  }
}
