/** The line items of a session: prices of the catalogue or made for it, with quantities. */
import { insertAdHoc, type Price } from '#server/standins/stripe/catalog/prices.ts';
import { insertAdHocProduct, type Product } from '#server/standins/stripe/catalog/products.ts';
import type { Call, ReadCall } from '#server/standins/stripe/call.ts';
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
  call: Call,
  asked: SessionLine[],
): Promise<{ lines: LineItem[]; currency: string }> {
  const lines: LineItem[] = [];
  const currencies = new Set<string>();
  for (const [index, line] of asked.entries()) {
    const { quantity } = line;
    const { price, product } = await pricedBy(call, line, `line_items[${index}]`);
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

interface Priced {
  price: Price;
  product: Product;
}

async function pricedBy(
  call: Call,
  { price, price_data }: SessionLine,
  param: string,
): Promise<Priced> {
  if (price !== undefined && price_data !== undefined)
    throw refuse('You may only specify one of these parameters: price, price_data.', { param });
  if (price !== undefined) return namedPrice(call, price, `${param}[price]`);
  if (price_data === undefined)
    throw refuse(
      'You must provide either price or price_data for each line item when using prices.',
      { param },
    );
  const { currency, unit_amount } = price_data;
  const product = await productOf(call, price_data, `${param}[price_data]`);
  const made = await insertAdHoc(call, { currency, unit_amount, product: product.id });
  return { price: made, product };
}

async function productOf(
  call: Call,
  { product, product_data }: NonNullable<SessionLine['price_data']>,
  param: string,
): Promise<Product> {
  if ((product === undefined) === (product_data === undefined))
    throw refuse('You must specify exactly one of these parameters: product, product_data.', {
      param,
    });
  if (product_data !== undefined) return insertAdHocProduct(call, product_data.name);
  return soldProduct(call, product ?? '', `${param}[product]`);
}

async function namedPrice(call: ReadCall, id: string, param: string): Promise<Priced> {
  const price = await findObject<Price>(call.store, 'price', id);
  if (!price) throw missingObject('price', id, { param, status: 400 });
  if (!price.active)
    throw refuse(
      `The price specified is inactive (${price.id}). This field only accepts active prices.`,
      { param },
    );
  return { price, product: await soldProduct(call, price.product, param) };
}

async function soldProduct(call: ReadCall, id: string, param: string): Promise<Product> {
  const product = await findObject<Product>(call.store, 'product', id);
  if (!product) throw missingObject('product', id, { param, status: 400 });
  if (!product.active)
    throw refuse(`The product ${product.id} is not active, so it cannot be purchased.`, { param });
  return product;
}
