/**
 * Notices that one network takes much of a sale, and tells the office, which may open the waiting
 * room.
 */
import { hash } from 'node:crypto';
import { listAudit } from '#db/audit/audit.ts';
import { findEvent, findEventAt } from '#db/event/events.ts';
import { countHall, countUnpaidBy } from '#db/queue/crowd.ts';
import { claimPeriod } from '#db/settings.ts';
import type { EventRow } from '#db/rows.ts';
import { mostHeldAtOnce } from '#server/domain/queue/crowd.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { memo } from '#server/services/kit/memo.ts';
import { roomOf } from './rooms.ts';

/** A network that still holds too much is noted again after this time. */
const notedEveryMs = 5 * 60_000;
/** The office sees a note for this time, which is as long as a hold lasts. */
const toldMs = 15 * 60_000;
const mostTold = 20;

/** However often a network is refused, the database is asked at most once a minute. */
const noted = memo<void>({ freshMs: 60_000 });

/** Call it when our seat map has refused a visitor's network. Stores no address. */
export async function noteCrowdAt(ctx: Ctx, seatsio_event_key: string): Promise<void> {
  await noted.get(ctx.memory, {
    key: seatsio_event_key,
    now: ctx.now,
    async ask() {
      const event = await findEventAt(ctx.db, seatsio_event_key);
      if (event) await noteCrowd(ctx, event.id);
    },
  });
}

/** Counts are so far apart that counting takes at most a fiftieth of the time. */
const watched = memo<void>({ freshMs: 0, restFactor: 50 });

/** The hash by which an order stores its visitor's network. */
export function networkMark(network: string): string {
  return hash('sha256', `network|${network}`, 'base64url');
}

/** The places of the event at the seat map that the network has booked and not paid. */
export async function unpaidPlaces(
  ctx: Ctx,
  { seatsio_event_key, network }: { seatsio_event_key: string; network: string },
): Promise<number> {
  return countUnpaidBy(ctx.db, { seatsio_event_key, network: networkMark(network) });
}

/** The vendor's seat map limits no network, so we count a network's unpaid orders. */
export async function watchUnpaid(ctx: Ctx, event: EventRow, network: string): Promise<void> {
  await watched.get(ctx.memory, {
    key: `${event.id}|${network}`,
    now: ctx.now,
    ask: () => countUnpaid(ctx, event, network),
  });
}

async function countUnpaid(
  ctx: Ctx,
  { id, seatsio_event_key }: EventRow,
  network: string,
): Promise<void> {
  const unpaid = await countUnpaidBy(ctx.db, { seatsio_event_key, network });
  if (unpaid > mostHeldAtOnce(0) && unpaid > mostHeldAtOnce(await countHall(ctx.db, id)))
    await noteCrowd(ctx, id);
}

async function noteCrowd(ctx: Ctx, event_id: string): Promise<void> {
  const now = ctx.now();
  const period = { now, notSince: now - notedEveryMs };
  if (!(await claimPeriod(ctx.db, `network_crowd_${event_id}`, period))) return;
  await happened(ctx, ctx.db, { actor: 'system', action: 'network_crowd', subject: event_id });
}

/** The events without a waiting room for which a network was noted recently. */
export async function crowdedEvents(ctx: Ctx): Promise<EventRow[]> {
  const filter = { action: 'network_crowd', from: ctx.now() - toldMs };
  const notes = await listAudit(ctx.db, filter, { limit: mostTold, after: null });
  const ids = [...new Set(notes.map(({ subject }) => subject))];
  const events = await Promise.all(
    ids.map(async (id) => ((await roomOf(ctx, id)) === null ? findEvent(ctx.db, id) : undefined)),
  );
  return events.filter((event) => event !== undefined);
}
