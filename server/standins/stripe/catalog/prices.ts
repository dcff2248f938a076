/** Prices: an amount never changes; a new amount is a new price, and the old one is archived. */
import { amount } from '#server/standins/stripe/balance/amounts.ts';
import { seconds, type Call, type ReadCall } from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { answerList, answerObject } from '#server/standins/stripe/read-calls.ts';
import {
  allObjects,
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { missingObject, refuse } from '#server/standins/stripe/transport/errors.ts';
import {
  currency,
  flag,
  listOf,
  metadata,
  need,
  oneOf,
  readParams,
  text,
} from '#server/standins/stripe/transport/rules.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import type { Product } from './products.ts';

export interface Price extends StoredObject {
  object: 'price';
  active: boolean;
  billing_scheme: 'per_unit';
  currency: string;
  custom_unit_amount: null;
  livemode: false;
  lookup_key: string | null;
  metadata: Record<string, string>;
  nickname: string | null;
  product: string;
  recurring: null;
  tax_behavior: 'unspecified';
  tiers_mode: null;
  transform_quantity: null;
  type: 'one_time';
  unit_amount: number;
  unit_amount_decimal: string;
}

/** POST /v1/prices {currency, unit_amount, product, lookup_key?, metadata?, nickname?} */
export async function createPrice(call: Call): Promise<Reply> {
  const params = readParams(call.form, {
    currency: need(currency()),
    lookup_key: text({ max: 200 }),
    metadata: metadata(),
    nickname: text(),
    product: need(text()),
    unit_amount: need(amount),
  });
  if (!(await findObject<Product>(call.store, 'product', params.product)))
    throw missingObject('product', params.product, { param: 'product', status: 400 });
  if (params.lookup_key !== undefined) await claimLookupKey(call, params.lookup_key);
  const price = newPrice(call, params);
  await insertObject(call.store, price);
  await emit(call, call, { type: 'price.created', object: price });
  return ok(price);
}

/** A price that one session makes for itself; it is inactive, so nothing else is sold by it. */
export async function insertAdHoc(call: Call, price: AskedPrice): Promise<Price> {
  const made = { ...newPrice(call, price), active: false };
  await insertObject(call.store, made);
  await emit(call, call, { type: 'price.created', object: made });
  return made;
}

/** `lookup_key`, `metadata` and `nickname` are those of a price in the catalogue. */
interface AskedPrice extends Pick<Price, 'currency' | 'product' | 'unit_amount'> {
  lookup_key?: string | undefined;
  metadata?: Record<string, string> | undefined;
  nickname?: string | undefined;
}

function newPrice(call: ReadCall, asked: AskedPrice): Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: seconds(call),
    currency: asked.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: asked.lookup_key ?? null,
    metadata: asked.metadata ?? {},
    nickname: asked.nickname ?? null,
    product: asked.product,
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time',
    unit_amount: asked.unit_amount,
    unit_amount_decimal: String(asked.unit_amount),
  };
}

/** GET /v1/prices/:id */
export function retrievePrice(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'price');
}

/** POST /v1/prices/:id {active} */
export async function updatePrice(call: Call): Promise<Reply> {
  const before = await getObject<Price>(call.store, 'price', call.id);
  const after: Price = { ...before, ...readParams(call.form, { active: need(flag()) }) };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'price.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return ok(after);
}

/** GET /v1/prices?active&product&lookup_keys[]&currency&type&created */
export function listPrices(call: ReadCall): Promise<Reply> {
  return answerList(call, 'price', {
    url: '/v1/prices',
    filters: {
      active: flag(),
      currency: currency(),
      lookup_keys: listOf(text(), 10),
      product: text(),
      type: oneOf(['one_time']),
    },
    where: ({ active, currency: code, lookup_keys, product, type }) => [
      { path: 'active', is: active },
      { path: 'currency', is: code },
      { path: 'product', is: product },
      { path: 'type', is: type },
      ...(lookup_keys === undefined ? [] : [{ path: 'lookup_key', in: lookup_keys }]),
    ],
  });
}

/** Removes a lookup key from archived prices that have it; an active price keeps it. */
async function claimLookupKey(call: Call, key: string): Promise<void> {
  const holders = await allObjects<Price>(call.store, 'price', [{ path: 'lookup_key', is: key }]);
  for (const holder of holders) {
    if (holder.active)
      throw refuse(`A price (${holder.id}) already uses the lookup key ${key}.`, {
        param: 'lookup_key',
      });
    const without: Price = { ...holder, lookup_key: null };
    await saveObject(call.store, without);
  }
}
