/** The line items of a session: prices from the catalogue, with quantities. */
import type { Price } from '#server/standins/stripe/catalog/prices.ts';
import type { Product } from '#server/standins/stripe/catalog/products.ts';
import type { ReadCall } from '#server/standins/stripe/call.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import { missingObject, missingParam, refuse } from '#server/standins/stripe/transport/errors.ts';
import type { SessionLine } from './session-params.ts';

/** As the hosted page shows it; amounts in the currency's smallest unit. */
export interface LineItem {
  description: string;
  quantity: number;
  unit_amount: number;
  amount_total: number;
}

/** @throws StripeError 400 for no lines, a price that is not for sale, or several currencies */
export async function linesOf(
  call: ReadCall,
  asked: SessionLine[],
): Promise<{ lines: LineItem[]; currency: string }> {
  const lines: LineItem[] = [];
  const currencies = new Set<string>();
  for (const [index, { price: id, quantity }] of asked.entries()) {
    const { price, product } = await namedPrice(call, id, `line_items[${index}][price]`);
    const { currency, unit_amount } = price;
    currencies.add(currency);
    const amount_total = unit_amount * quantity;
    lines.push({ description: product.name, quantity, unit_amount, amount_total });
  }
  const [currency, ...others] = currencies;
  if (currency === undefined) throw missingParam('line_items');
  if (others.length > 0)
    throw refuse(
      `All prices in a Checkout Session must have the same currency; found ${[...currencies].join(', ')}.`,
      { param: 'line_items' },
    );
  return { lines, currency };
}

async function namedPrice(
  call: ReadCall,
  id: string,
  param: string,
): Promise<{ price: Price; product: Product }> {
  const price = await findObject<Price>(call.store, 'price', id);
  if (!price) throw missingObject('price', id, { param, status: 400 });
  if (!price.active)
    throw refuse(
      `The price specified is inactive (${price.id}). This field only accepts active prices.`,
      { param },
    );
  const product = await findObject<Product>(call.store, 'product', price.product);
  if (!product) throw missingObject('product', price.product, { param, status: 400 });
  if (!product.active)
    throw refuse(`The product ${product.id} is not active, so it cannot be purchased.`, { param });
  return { price, product };
}
