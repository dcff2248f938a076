/**
 * What everybody of the office sees of the house: its name and colours, and whether what they do
 * is only a trial.
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

/**
 * Null: real money. Our seat map beside real payments is a set-up for real evenings, and no
 * trial.
 */
export function trialOf({ payments, standins }: Ctx) {
  if (payments.live) return null;
  return {
    payments: standins.stripe ? ('standin' as const) : ('test_key' as const),
    seats: standins.seatsio ? ('standin' as const) : null,
  };
}
