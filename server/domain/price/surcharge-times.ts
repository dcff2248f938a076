/** Which surcharges count where and when: some not at the till, some not on the day of the show. */
import { romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import type { SaleChannel } from './rule.ts';
import type { SoldSurcharge, Surcharge } from './surcharge.ts';

interface Sale {
  at: number;
  channel: SaleChannel;
  starts_at: number;
}

export function surchargesIn(
  surcharges: readonly Surcharge[],
  { at, channel, starts_at }: Sale,
): SoldSurcharge[] {
  return surcharges
    .filter(({ not_at_till }) => !not_at_till || channel !== 'till')
    .filter(({ not_on_day }) => !not_on_day || at < dayBegin(starts_at))
    .map(({ not_at_till: _till, not_on_day: _day, ...sold }) => sold);
}

/** The moments at which the surcharges of a sale change. */
export function surchargeTurns(surcharges: readonly Surcharge[], starts_at: number): number[] {
  return surcharges.some(({ not_on_day }) => not_on_day) ? [dayBegin(starts_at)] : [];
}

function dayBegin(starts_at: number): number {
  return startOfDay(romeDay(starts_at));
}
