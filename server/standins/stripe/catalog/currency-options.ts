/** A price's amounts in further currencies: told only to who expands them, and used by a session that names one of the currencies. */
import { amount, oneAmount, taxBehavior } from '#server/standins/stripe/money/amounts.ts';
import type { Call, ReadDesk } from '#server/standins/stripe/call.ts';
import {
  getObject,
  readPrivate,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { group, groupOf, unbuilt, type Read } from '#server/standins/stripe/transport/rules.ts';

/** In the smallest unit of its currency. */
interface Amount {
  unit_amount: number;
  tax_behavior: 'exclusive' | 'inclusive' | 'unspecified';
}
/** By currency. */
type Amounts = Record<string, Amount>;
/** What counts of a price here. */
type Price = StoredObject & Amount & { object: 'price'; currency: string };
interface HiddenPrice {
  currency_options?: Amounts;
}

export const currencyOptions = groupOf(
  group({
    custom_unit_amount: unbuilt(),
    tax_behavior: taxBehavior,
    tiers: unbuilt(),
    unit_amount: amount,
    unit_amount_decimal: amount,
  }),
);
type Given = Read<{ is: typeof currencyOptions }>['is'];

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** Those that the price has already stay. @throws StripeError 400 for the price's own currency, none that there is, or not exactly one amount */
export async function keepCurrencyOptions(
  call: Call,
  price: Pick<Price, 'id' | 'currency'>,
  given: Given,
): Promise<void> {
  if (given === undefined) return;
  const hidden = await readPrivate<HiddenPrice>(call.store, price.id);
  await savePrivate(call.store, price.id, {
    ...hidden,
    currency_options: { ...hidden.currency_options, ...readAmounts(given, price.currency) },
  } satisfies HiddenPrice);
}

/** Before anything is written. */
export function readAmounts(given: NonNullable<Given>, own: string): Amounts {
  return Object.fromEntries(
    Object.entries(given).map(([currency, option]) => {
      const param = `currency_options[${currency}]`;
      if (!CURRENCIES.has(currency)) throw refuse(`Invalid currency: ${currency}`, { param });
      if (currency === own)
        throw refuse(`${currency} is the currency of the price itself.`, { param });
      const { tax_behavior = 'unspecified' } = option!;
      return [currency, { unit_amount: oneAmount(option!, param), tax_behavior }];
    }),
  );
}

/** What one costs in a currency, the price's own or another; undefined: it has none. */
export async function amountIn(
  desk: ReadDesk,
  price: Price,
  currency: string,
): Promise<number | undefined> {
  if (currency === price.currency) return price.unit_amount;
  const { currency_options } = await readPrivate<HiddenPrice>(desk.store, price.id);
  return currency_options?.[currency]?.unit_amount;
}

/** `expand[]=currency_options`: the price's own currency is among them. */
export async function currencyOptionsOf(desk: ReadDesk, id: string): Promise<object> {
  const price = await getObject<Price>(desk.store, 'price', id);
  const { currency_options } = await readPrivate<HiddenPrice>(desk.store, id);
  const all: Amounts = { [price.currency]: price, ...currency_options };
  return Object.fromEntries(
    Object.entries(all).map(([currency, { unit_amount, tax_behavior }]) => [
      currency,
      {
        custom_unit_amount: null,
        tax_behavior,
        unit_amount,
        unit_amount_decimal: String(unit_amount),
      },
    ]),
  );
}
