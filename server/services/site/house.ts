/**
 * What all people of the office see of the house: its name, colours and maintenance, and whether
 * sales are only a trial.
 */
import type { Ctx } from '#server/services/context.ts';
import { pausedGap } from '#server/services/kit/restored.ts';
import { maintenanceSince } from './maintenance.ts';
import { lookOf } from './look.ts';
import { siteForAll } from './site.ts';

export async function houseForOffice(ctx: Ctx) {
  const { fee_price_id } = await lookOf(ctx);
  return {
    ...(await siteForAll(ctx)),
    version: ctx.version,
    fee_price_id,
    trial: trialOf(ctx),
    ...(await pauseOf(ctx)),
  };
}

/** Usually the house sells, which is known without asking the database. */
async function pauseOf(ctx: Ctx) {
  const maintenance_since = await maintenanceSince(ctx);
  return { maintenance_since, gap: maintenance_since === null ? null : await pausedGap(ctx.db) };
}

/** Null: payments are real; then our own seat map does not make it a trial. */
export function trialOf({ payments, standins }: Ctx) {
  if (payments.live) return null;
  return {
    payments: standins.stripe ? ('standin' as const) : ('test_key' as const),
    seats: standins.seatsio ? ('standin' as const) : null,
  };
}
