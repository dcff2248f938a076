/** A new product, perhaps with its first price. */
import type { Call, Reply } from '#server/standins/stripe/call.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { amount, oneAmount, taxBehavior } from '#server/standins/stripe/money/amounts.ts';
import { expand } from '#server/standins/stripe/read-calls.ts';
import { findObject, saveObject } from '#server/standins/stripe/statements/objects.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import {
  currency,
  group,
  metadata,
  need,
  oneOf,
  readParams,
  text,
  unbuilt,
} from '#server/standins/stripe/transport/rules.ts';
import { insertPrice, recurring } from './prices.ts';
import { insertProduct, newProductFields, type Product } from './products.ts';

const firstPrice = group({
  currency: need(currency()),
  currency_options: unbuilt(),
  custom_unit_amount: unbuilt(),
  metadata: metadata(),
  recurring,
  tax_behavior: taxBehavior,
  unit_amount: amount,
  unit_amount_decimal: amount,
});

/** POST /v1/products {name, id?, active?, default_price_data{currency, unit_amount}?, description?, images?, metadata?, …} */
export async function createProduct(call: Call): Promise<Reply> {
  const {
    default_price_data: priced,
    expand: paths,
    id,
    ...params
  } = readParams(call.form, {
    ...newProductFields,
    default_price_data: firstPrice,
    expand,
    id: text({ max: 100, form: /^[A-Za-z0-9_-]+$/, says: 'may hold letters, digits, _ and -' }),
    type: oneOf(['good', 'service']),
  });
  if (id !== undefined && (await findObject<Product>(call.store, 'product', id))) {
    throw refuse(`Product already exists: ${id}`, { code: 'resource_already_exists', param: 'id' });
  }
  const unit_amount = priced && oneAmount(priced, 'default_price_data');
  const made = await insertProduct(call, { ...params, id });
  if (unit_amount === undefined) return replyWith(call, made, paths);
  const price = await insertPrice(call, { ...priced!, unit_amount, product: made.id });
  const product: Product = { ...made, default_price: price.id };
  await saveObject(call.store, product);
  return replyWith(call, product, paths);
}
