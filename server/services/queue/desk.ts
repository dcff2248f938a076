/** The office's control of a waiting room: on, off, speed, pause, message, end; its figures. */
import { requireEventRow } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import { countCalled, countWithoutNumber } from '#db/queue/queue-places.ts';
import { changeQueue, findQueue, insertQueue } from '#db/queue/queues.ts';
import type { QueueRow } from '#db/rows.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { measuredPace } from '#server/domain/queue/pace.ts';
import { usualPassMinutes, type QueueMode } from '#server/domain/queue/queue.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { happened } from '#server/services/kit/happened.ts';
import { newSeed } from './draw.ts';
import { keepGuard } from './guard.ts';
import { p95Now } from './load.ts';
import { forgetRooms, phaseOfRoom, rateOf } from './rooms.ts';

interface Settings {
  mode: QueueMode;
  opens_at: number | null;
  fixed_per_minute: number | null;
  minutes: number;
  most_inside: number | null;
  code: string | null;
}

function bareQueue({ secretsKey }: Ctx, event_id: string): QueueRow {
  return {
    ...newSeed(secretsKey),
    event_id,
    mode: 'off',
    opens_at: null,
    fixed_per_minute: null,
    minutes: usualPassMinutes,
    most_inside: null,
    code: null,
    message: null,
    paused: 0,
    closed: 0,
    root: null,
    fixed_at: null,
    opened_at: null,
    drawn: 0,
    last: 0,
    serving: 0,
    credit: 0,
    per_minute: measuredPace.first,
    rated_at: 0,
    slow_at: null,
    paced_at: 0,
    guarded_key: null,
  };
}

/** @throws Refusal event_not_found */
export async function queueForOffice(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  const row = (await findQueue(ctx.db, event_id)) ?? bareQueue(ctx, event_id);
  const now = ctx.now();
  const { minutes, opens_at } = row;
  const room = { ...row, ...event, opens_at };
  return {
    ...row,
    phase: phaseOfRoom(room),
    seed_hash: row.mode === 'off' && row.root === null ? null : row.seed_hash,
    per_minute: rateOf(room),
    p95_ms: await p95Now(ctx.db, now),
    waiting: row.last - row.serving + (await countWithoutNumber(ctx.db, event_id)),
    ...(await countCalled(ctx.db, event_id, { now, minutes, since: 0 })),
    seat_map_guards: ctx.standins.seatsio,
  };
}

/** Refuses as the contract of setQueue says. */
export async function setQueue(ctx: Ctx, event_id: string, asked: Settings, actor: Actor) {
  const event = await knownEvent(ctx, event_id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  const { code: _, ...detail } = asked;
  return change(ctx, event_id, {
    action: 'queue_set',
    actor,
    detail,
    changes(row) {
      if (row.root !== null && asked.opens_at !== row.opens_at) throw new Refusal('queue_drawn');
      // No draw has taken place, so the next room begins anew.
      const ends = asked.mode === 'off' && row.root === null;
      return { ...asked, ...(ends ? { opened_at: null } : {}) };
    },
  });
}

export function pauseQueue(ctx: Ctx, event_id: string, actor: Actor) {
  return act(ctx, event_id, { action: 'queue_paused', actor, changes: { paused: 1 } });
}

/** Continues after a pause or an end; visitors are not called faster to make up for the time. */
export function resumeQueue(ctx: Ctx, event_id: string, actor: Actor) {
  const changes = { paused: 0, closed: 0, credit: 0 } as const;
  return act(ctx, event_id, { action: 'queue_resumed', actor, changes });
}

export function closeQueue(ctx: Ctx, event_id: string, actor: Actor) {
  return act(ctx, event_id, { action: 'queue_closed', actor, changes: { closed: 1 } });
}

export function tellQueue(ctx: Ctx, event_id: string, message: string | null, actor: Actor) {
  return act(ctx, event_id, { action: 'queue_told', actor, changes: { message } });
}

interface Act {
  action: AuditAction;
  actor: Actor;
  changes: Partial<QueueRow>;
}

/** @throws Refusal event_not_found, queue_off */
async function act(ctx: Ctx, event_id: string, { changes, ...rest }: Act) {
  await knownEvent(ctx, event_id);
  return change(ctx, event_id, {
    ...rest,
    detail: 'message' in changes ? changes : undefined,
    changes(row) {
      if (row.mode === 'off') throw new Refusal('queue_off');
      return changes;
    },
  });
}

/** Changes the row and the audit; the seat map is told now, or a second later. */
async function change(
  ctx: Ctx,
  event_id: string,
  ask: Omit<Act, 'changes'> & { detail: unknown; changes: (row: QueueRow) => Partial<QueueRow> },
) {
  const { action, actor, detail } = ask;
  const event = await transact(ctx.db, async (trx) => {
    await insertQueue(trx, bareQueue(ctx, event_id));
    const row = requireValue(await findQueue(trx, event_id), 'queue');
    await changeQueue(trx, event_id, ask.changes(row));
    await happened(ctx, trx, { actor, action, subject: event_id, detail });
    return await requireEventRow(trx, event_id);
  });
  forgetRooms(ctx);
  const row = requireValue(await findQueue(ctx.db, event_id), 'queue');
  await keepGuard(ctx, { ...row, ...event, opens_at: row.opens_at });
  return queueForOffice(ctx, event_id);
}
