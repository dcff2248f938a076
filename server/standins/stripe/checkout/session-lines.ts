/** The lines of a session: what is sold, at which price; a price of the catalogue or one that the session brings with it. */
import type { Call } from '#server/standins/stripe/call.ts';
import { missingObject, refuse } from '#server/standins/stripe/transport/errors.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { findObject } from '#server/standins/stripe/objects.ts';
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

export function linesOf(call: Call, params: SessionParams): LineItem[] {
  const asked = params.line_items ?? [];
  if (asked.length === 0)
    throw refuse('Missing required param: line_items.', {
      code: 'parameter_missing',
      param: 'line_items',
    });
  const lines = asked.map((line, index): LineItem => {
    const at = `line_items[${index}]`;
    if (line.quantity === undefined)
      throw refuse(`Missing required param: ${at}[quantity].`, {
        code: 'parameter_missing',
        param: `${at}[quantity]`,
      });
    const { price, product } =
      line.price_data === undefined ? namedPrice(call, line.price, at) : ownPrice(call, line, at);
    const amount = price.unit_amount * line.quantity;
    return {
      id: newId('li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: product.name,
      discounts: [],
      metadata: patched({}, line.metadata),
      price,
      quantity: line.quantity,
      taxes: [],
    };
  });
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

function namedPrice(
  call: Call,
  id: string | undefined,
  at: string,
): { price: Price; product: Product } {
  if (id === undefined)
    throw refuse(`Missing required param: ${at}[price].`, {
      code: 'parameter_missing',
      param: `${at}[price]`,
    });
  const price = findObject<Price>(call.store, 'price', id);
  if (!price) throw missingObject('price', id, { param: `${at}[price]`, status: 400 });
  if (!price.active)
    throw refuse(
      `The price specified is inactive (${price.id}). This field only accepts active prices.`,
      { param: `${at}[price]` },
    );
  return { price, product: activeProduct(call, price.product, `${at}[price]`) };
}

/** A price that the session brings with it is of no use to anybody else: it is made archived. */
function ownPrice(call: Call, line: SessionLine, at: string): { price: Price; product: Product } {
  const { product, product_data, unit_amount, unit_amount_decimal, ...rest } = line.price_data!;
  if (line.price !== undefined)
    throw refuse('You may only specify one of these parameters: price, price_data.', {
      code: 'parameters_exclusive',
      param: `${at}[price]`,
    });
  const amount = unit_amount ?? unit_amount_decimal;
  if (amount === undefined || (unit_amount !== undefined && unit_amount_decimal !== undefined)) {
    throw refuse('Give exactly one of unit_amount and unit_amount_decimal.', {
      code: 'parameter_missing',
      param: `${at}[price_data][unit_amount]`,
    });
  }
  if ((product === undefined) === (product_data === undefined))
    throw refuse('Give exactly one of product and product_data.', {
      code: 'parameter_missing',
      param: `${at}[price_data][product]`,
    });
  if (product !== undefined) activeProduct(call, product, `${at}[price_data][product]`);
  const price = insertPrice(call, {
    ...rest,
    active: false,
    unit_amount: amount,
    product,
    product_data: product_data && { ...product_data, active: false },
  });
  return { price, product: findObject<Product>(call.store, 'product', price.product)! };
}

function activeProduct(call: Call, id: string, param: string): Product {
  const product = findObject<Product>(call.store, 'product', id);
  if (!product) throw missingObject('product', id, { param, status: 400 });
  if (!product.active)
    throw refuse(`The product ${product.id} is not active, so it cannot be purchased.`, { param });
  return product;
}
