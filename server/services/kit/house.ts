/** Tells whether this installation takes real money, and whether it is a demonstration. */
import type { House } from '#server/domain/door/trial.ts';
import type { Ctx } from '#server/services/context.ts';

export function houseOf({ payments, settings }: Ctx): House {
  return { live: payments.live, demonstration: settings.demonstration };
}
