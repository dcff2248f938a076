/**
 * Tells this house's id, whether it takes real money, and whether it is a demonstration.
 */
import { settingOnce } from '#db/settings.ts';
import type { House } from '#server/domain/door/trial.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from './memo.ts';

const ids = memo<string>({ freshMs: Number.POSITIVE_INFINITY });

/**
 * The house's random id. It is stored in the database, so that a backup and `move-to` carry it
 * along; all that this house makes at Stripe is marked with it.
 */
export function houseId({ db, memory, newId }: Pick<Ctx, 'db' | 'memory' | 'newId'>) {
  return ids.get(memory, { ask: () => settingOnce(db, 'house', newId) });
}

export function houseOf({ payments, settings }: Ctx): House {
  return { live: payments.live, demonstration: settings.demonstration };
}
