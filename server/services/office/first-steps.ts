/**
 * What a new house has still to do before its first evening, read from the facts of the house:
 * nothing is ticked by hand, and what belongs to the demo does not count.
 */
import { hasPlayed, listBegun, readFirstDeeds } from '#db/office/first-steps.ts';
import { stepsFor } from '#server/domain/user/first-steps.ts';
import type { Role } from '#server/domain/user/user.ts';
import { providerHealth } from '#server/adapters/provider-health.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { sellerOf } from '#server/services/site/site.ts';

/**
 * The steps of this role; none once they are done or the house has played: what is missing later
 * is a finding of Salute.
 */
export async function firstStepsFor(ctx: Ctx, role: Role) {
  if (await hasPlayed(ctx.db, ctx.now())) return [];
  const deeds = await readFirstDeeds(ctx.db);
  const seller = await sellerOf(ctx);
  const steps = stepsFor(role, {
    // Without a seller no event is published, so one that is missing now was there.
    seller: seller === 'house' || (seller === 'missing' && deeds.published),
    mail: deeds.mailed || (ctx.mail.leaves && !isSilent(ctx.mail)),
    stripe: !ctx.standins.stripe && !isSilent(ctx.payments),
    hall: deeds.drawn || hasChartOutside(ctx),
    event: deeds.published,
    phone: deeds.paired,
    rehearsal: deeds.rehearsed,
  });
  const begun = await listBegun(ctx.db);
  return steps.map((step) => ({ ...step, event_id: begun[step.name] ?? null }));
}

function isSilent(provider: object): boolean {
  return (providerHealth(provider)?.error ?? null) !== null;
}

const sharedCharts = memo<boolean>({ freshMs: 60_000, quietMs: 60_000, keptMs: Infinity });

/** True if the house's own seats.io account has a chart; false until seats.io has answered. */
function hasChartOutside(ctx: Ctx): boolean {
  if (ctx.standins.seatsio) return false;
  const ask = async () => {
    const { charts } = await ctx.charts.list({ limit: 5, after: null, name: '' });
    return charts.some(({ places }) => places !== 0);
  };
  sharedCharts.get(ctx.charts, { now: ctx.now, ask }).catch(() => {});
  return sharedCharts.last(ctx.charts)?.value ?? false;
}
