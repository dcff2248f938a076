/** The smallest and largest amount of a payment, in the smallest unit of each currency. */
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { integer } from '#server/standins/stripe/transport/rules.ts';

const MOST = 99_999_999;
/** About half a euro. */
const LEAST = 50;

export const amount = integer({ max: MOST });

/**
 * Checks a payment's amount; `param` names it in the error.
 * @throws StripeError 400 for an amount that cannot be charged
 */
export function checkAmount(asked: number, param: string): void {
  if (asked < LEAST)
    throw refuse(`Amount must be at least ${LEAST} in the smallest unit of the currency.`, {
      code: 'amount_too_small',
      param,
    });
  if (asked > MOST)
    throw refuse(`Amount must be no more than ${MOST}.`, { code: 'amount_too_large', param });
}
