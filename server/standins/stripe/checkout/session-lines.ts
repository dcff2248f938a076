/** The line items of a session: a price of the catalogue, or one that the session brings with it. */
import type { Call, ReadCall } from '#server/standins/stripe/call.ts';
import { missingObject, missingParam, refuse } from '#server/standins/stripe/transport/errors.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import { amountIn } from '#server/standins/stripe/catalog/currency-options.ts';
import { oneAmount } from '#server/standins/stripe/money/amounts.ts';
import { insertPrice, type Price } from '#server/standins/stripe/catalog/prices.ts';
import type { Product } from '#server/standins/stripe/catalog/products.ts';
import { patched } from '#server/standins/stripe/transport/rules.ts';
import type { SessionLine, SessionParams } from './session-params.ts';

export interface LineItem {
  id: string;
  object: 'item';
  adjustable_quantity: null;
  amount_discount: 0;
  amount_subtotal: number;
  amount_tax: 0;
  amount_total: number;
  currency: string;
  description: string;
  discounts: [];
  metadata: Record<string, string>;
  price: Price;
  quantity: number;
  taxes: [];
}

export async function linesOf(call: Call, params: SessionParams): Promise<LineItem[]> {
  const asked = params.line_items ?? [];
  if (asked.length === 0) throw missingParam('line_items');
  const lines: LineItem[] = [];
  for (const [index, line] of asked.entries())
    lines.push(await lineOf(call, line, { at: `line_items[${index}]`, wanted: params.currency }));
  const currencies = new Set([
    ...lines.map((line) => line.currency),
    ...(params.currency === undefined ? [] : [params.currency]),
  ]);
  if (currencies.size > 1)
    throw refuse(
      `All prices in a Checkout Session must have the same currency; found ${[...currencies].join(', ')}.`,
      { param: 'line_items' },
    );
  return lines;
}

/** `at`: the parameter's name; `wanted`: the currency that the session names. */
async function lineOf(
  call: Call,
  line: SessionLine,
  { at, wanted }: { at: string; wanted: string | undefined },
): Promise<LineItem> {
  if (line.quantity === undefined) throw missingParam(`${at}[quantity]`);
  const { price, product } =
    line.price_data === undefined
      ? await namedPrice(call, line.price, at)
      : await ownPrice(call, line, at);
  const inWanted = wanted === undefined ? undefined : await amountIn(call, price, wanted);
  // Without an amount in it the price keeps its own currency, and the session is refused for having two.
  const currency = inWanted === undefined ? price.currency : wanted!;
  const amount = (inWanted ?? price.unit_amount) * line.quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency,
    description: product.name,
    discounts: [],
    metadata: patched({}, line.metadata),
    price,
    quantity: line.quantity,
    taxes: [],
  };
}

async function namedPrice(
  call: ReadCall,
  id: string | undefined,
  at: string,
): Promise<{ price: Price; product: Product }> {
  if (id === undefined) throw missingParam(`${at}[price]`);
  const price = await findObject<Price>(call.store, 'price', id);
  if (!price) throw missingObject('price', id, { param: `${at}[price]`, status: 400 });
  if (!price.active)
    throw refuse(
      `The price specified is inactive (${price.id}). This field only accepts active prices.`,
      { param: `${at}[price]` },
    );
  if (price.recurring !== null)
    throw refuse(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      { param: at },
    );
  return { price, product: await activeProduct(call, price.product, `${at}[price]`) };
}

/** A price that the session brings with it is of no use to anybody else: it is made archived. */
async function ownPrice(
  call: Call,
  line: SessionLine,
  at: string,
): Promise<{ price: Price; product: Product }> {
  const { product, product_data, ...amounts } = line.price_data!;
  if (line.price !== undefined)
    throw refuse('You may only specify one of these parameters: price, price_data.', {
      code: 'parameters_exclusive',
      param: `${at}[price]`,
    });
  const unit_amount = oneAmount(amounts, `${at}[price_data]`);
  if ((product === undefined) === (product_data === undefined))
    throw refuse('Give exactly one of product and product_data.', {
      code: 'parameter_missing',
      param: `${at}[price_data][product]`,
    });
  if (product !== undefined) await activeProduct(call, product, `${at}[price_data][product]`);
  const price = await insertPrice(call, {
    ...amounts,
    active: false,
    unit_amount,
    product,
    product_data: product_data && { ...product_data, active: false },
  });
  return { price, product: (await findObject<Product>(call.store, 'product', price.product))! };
}

async function activeProduct(call: ReadCall, id: string, param: string): Promise<Product> {
  const product = await findObject<Product>(call.store, 'product', id);
  if (!product) throw missingObject('product', id, { param, status: 400 });
  if (!product.active)
    throw refuse(`The product ${product.id} is not active, so it cannot be purchased.`, { param });
  return product;
}
