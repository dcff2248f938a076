/** The smallest and largest amounts that can be charged, in the smallest unit of each currency. */
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { integer, oneOf } from '#server/standins/stripe/transport/rules.ts';

export const MAX_AMOUNT = 99_999_999;
/** The least that can be charged, about half a euro; currencies not named here: 50 of their smallest unit. */
const LEAST: Record<string, number> = {
  eur: 50,
  usd: 50,
  chf: 50,
  gbp: 30,
  jpy: 50,
  sek: 300,
  nok: 300,
  dkk: 250,
  pln: 200,
  czk: 1500,
  huf: 17500,
};

export const amount = integer({ max: MAX_AMOUNT });
export const taxBehavior = oneOf(['exclusive', 'inclusive', 'unspecified']);

export function leastOf(currency: string): number {
  return LEAST[currency] ?? 50;
}

/** Of a price, `at` says which; it may be given in two ways. @throws StripeError 400 unless it is given in exactly one */
export function oneAmount(
  { unit_amount, unit_amount_decimal }: { unit_amount?: number; unit_amount_decimal?: number },
  at?: string,
): number {
  const given = unit_amount ?? unit_amount_decimal;
  if (given === undefined || (unit_amount !== undefined && unit_amount_decimal !== undefined))
    throw refuse('Give exactly one of unit_amount and unit_amount_decimal.', {
      code: 'parameter_missing',
      param: at === undefined ? 'unit_amount' : `${at}[unit_amount]`,
    });
  return given;
}

/** Of a payment intent or a charge. */
export function checkAmount(asked: number, currency: string): void {
  if (asked < leastOf(currency))
    throw refuse(
      `Amount must be at least ${leastOf(currency)} in the smallest unit of ${currency}.`,
      { code: 'amount_too_small', param: 'amount' },
    );
  if (asked > MAX_AMOUNT)
    throw refuse(`Amount must be no more than ${MAX_AMOUNT}.`, {
      code: 'amount_too_large',
      param: 'amount',
    });
}
