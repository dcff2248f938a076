/**
 * The office moves the sold evening to the other hall and back, cancels it, and resumes its sale.
 */
import { findEvent } from '#db/event/events.ts';
import type { Ctx } from '#server/services/context.ts';
import {
  dropRehousing,
  proposeRehousing,
  rehousingForOffice,
  solveRest,
} from '#server/services/rehousing/plan.ts';
import { callOffRehousing, resumeSale, startRehousing } from '#server/services/rehousing/run.ts';
import type { Act } from './act.ts';
import type { Deed } from './history.ts';
import { charts, eventId, type World } from './world.ts';

const actor = 'user:office';

export const rehousingDeeds: Partial<Record<Deed, Act>> = {
  async 'office rehouses'(world, ctx, { how }) {
    const { rehousing } = await rehousingForOffice(ctx, eventId);
    if (rehousing === null) {
      const event = (await findEvent(ctx.db, eventId))!;
      if (event.sale_paused === 1) return resumeSale(ctx, eventId, actor);
      const other = Object.keys(charts).find((key) => key !== event.chart_key)!;
      const plan = await proposeRehousing(ctx, eventId, { chart_key: other }, actor);
      return how % 4 === 3 ? undefined : start(world, ctx, { plan, how });
    }
    if (rehousing.state !== 'planned')
      return how % 4 === 0 ? callOffRehousing(ctx, eventId, actor) : undefined;
    const { version } = rehousing;
    if (how % 8 === 7) return dropRehousing(ctx, eventId, { version, actor });
    const plan = await solveRest(ctx, eventId, { version, actor });
    return start(world, ctx, { plan, how });
  },
};

interface Start {
  plan: Awaited<ReturnType<typeof solveRest>>;
  how: number;
}

async function start(world: World, ctx: Ctx, { plan, how }: Start): Promise<void> {
  const { version, counts } = plan;
  const refunds = how % 2 === 0;
  const lost = refunds ? counts.lost_with_refunds : counts.lost_without;
  const { refunded, refunded_cents, mails } = counts;
  const asked = { version, refunds, mails, lost, refunded, refunded_cents, actor } as const;
  await startRehousing(ctx, eventId, asked);
  world.count(`rehousing started: ${counts.tickets === 0 ? 'empty' : 'sold'}`);
}

/** Visitors and the office look at the current hall of the evening. */
export async function followHall(world: World): Promise<void> {
  const [only, other] = world.halls.values();
  if (only && (!other || world.exchanges)) {
    world.seats = only.double;
    return;
  }
  const event = (await findEvent(world.store.db, eventId))!;
  const now = world.halls.get(event.seatsio_event_key);
  if (now) world.seats = now.double;
  else
    world.wrong(`the evening is in ${event.seatsio_event_key}, which the seat map does not know`);
}
