/**
 * What everybody in the office sees of the house: its name, colours and closure, and whether
 * sales are only a trial.
 */
import type { Ctx } from '#server/services/context.ts';
import { maintenanceSince } from './maintenance.ts';
import { lookOf } from './look.ts';
import { siteForAll } from './site.ts';

export async function houseForOffice(ctx: Ctx) {
  const { fee_price_id } = await lookOf(ctx);
  return {
    ...(await siteForAll(ctx)),
    fee_price_id,
    trial: trialOf(ctx),
    maintenance_since: await maintenanceSince(ctx),
  };
}

/** Null: real payments. Our own seat map with real payments is no trial. */
export function trialOf({ payments, standins }: Ctx) {
  if (payments.live) return null;
  return {
    payments: standins.stripe ? ('standin' as const) : ('test_key' as const),
    seats: standins.seatsio ? ('standin' as const) : null,
  };
}
