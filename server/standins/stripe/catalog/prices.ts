/** Prices: an amount that never changes; a new amount is a new price and the old one is archived. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { amount, oneAmount, taxBehavior } from '#server/standins/stripe/money/amounts.ts';
import { seconds, type Call, type Reply, type ReadCall } from '#server/standins/stripe/call.ts';
import { missingObject, notBuilt, refuse } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { currencyOptions, keepCurrencyOptions, readAmounts } from './currency-options.ts';
import { insertProduct, type Product } from './products.ts';
import {
  integer,
  clearable,
  currency,
  flag,
  group,
  listOf,
  metadata,
  need,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
  type MetadataPatch,
} from '#server/standins/stripe/transport/rules.ts';

/** Such a price may be kept and shown; a checkout that takes it would be a subscription, which is not built. */
interface Recurring {
  interval: (typeof intervals)[number];
  interval_count: number;
  meter: null;
  trial_period_days: null;
  usage_type: 'licensed';
}
const intervals = ['day', 'week', 'month', 'year'] as const;

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
  recurring: Recurring | null;
  tax_behavior: 'exclusive' | 'inclusive' | 'unspecified';
  tiers_mode: null;
  transform_quantity: null;
  type: 'one_time' | 'recurring';
  unit_amount: number;
  unit_amount_decimal: string;
}

const lookupKey = text({ max: 200 });
export const recurring = group({
  interval: need(oneOf(intervals)),
  interval_count: integer({ min: 1, max: 1_095 }),
  meter: unbuilt(),
  trial_period_days: unbuilt(),
  usage_type: oneOf(['licensed']),
});

/** POST /v1/prices {currency, unit_amount, product | product_data{name,…}, active?, currency_options{chf{unit_amount}}?, lookup_key?, metadata?, nickname?, …} */
export async function createPrice(call: Call): Promise<Reply> {
  const params = readParams(call.form, {
    currency: need(currency()),
    active: flag(),
    billing_scheme: oneOf(['per_unit', 'tiered']),
    currency_options: currencyOptions,
    custom_unit_amount: unbuilt(),
    expand,
    lookup_key: lookupKey,
    metadata: metadata(),
    nickname: text(),
    product: text(),
    product_data: group({
      name: need(text({ max: 1500 })),
      active: flag(),
      id: unbuilt(),
      metadata: metadata(),
      statement_descriptor: text({ max: 22 }),
      tax_code: unbuilt(),
      tax_details: unbuilt(),
      unit_label: text({ max: 12 }),
    }),
    recurring,
    tax_behavior: taxBehavior,
    tiers: unbuilt(),
    tiers_mode: unbuilt(),
    transfer_lookup_key: flag(),
    transform_quantity: unbuilt(),
    unit_amount: amount,
    unit_amount_decimal: amount,
  });
  if (params.billing_scheme === 'tiered') throw notBuilt('tiered prices', 'billing_scheme');
  const unit_amount = oneAmount(params);
  if ((params.product === undefined) === (params.product_data === undefined)) {
    throw refuse('Give exactly one of product and product_data.', {
      code: 'parameter_missing',
      param: 'product',
    });
  }
  if (
    params.product !== undefined &&
    !(await findObject<Product>(call.store, 'product', params.product))
  ) {
    throw missingObject('product', params.product, { param: 'product', status: 400 });
  }
  if (params.currency_options) readAmounts(params.currency_options, params.currency);
  await claimLookupKey(call, params.lookup_key, params.transfer_lookup_key ?? false);
  const price = await insertPrice(call, { ...params, unit_amount });
  await keepCurrencyOptions(call, price, params.currency_options);
  return replyWith(call, price, params.expand);
}

interface PriceFacts {
  currency: string;
  unit_amount: number;
  active?: boolean;
  lookup_key?: string;
  metadata?: MetadataPatch;
  nickname?: string;
  recurring?: { interval: Recurring['interval']; interval_count?: number };
  tax_behavior?: Price['tax_behavior'];
  product?: string;
  product_data?: Parameters<typeof insertProduct>[1];
}

/** Makes and announces a price; also for a session that brings its own. */
export async function insertPrice(call: Call, facts: PriceFacts): Promise<Price> {
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: facts.active ?? true,
    billing_scheme: 'per_unit',
    created: seconds(call),
    currency: facts.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: facts.lookup_key ?? null,
    metadata: patched({}, facts.metadata),
    nickname: facts.nickname ?? null,
    product: facts.product ?? (await insertProduct(call, facts.product_data!)).id,
    recurring: facts.recurring ? recurringOf(facts.recurring) : null,
    tax_behavior: facts.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: facts.recurring ? 'recurring' : 'one_time',
    unit_amount: facts.unit_amount,
    unit_amount_decimal: String(facts.unit_amount),
  };
  await insertObject(call.store, price);
  await emit(call, call, { type: 'price.created', object: price });
  return price;
}

function recurringOf({
  interval,
  interval_count = 1,
}: NonNullable<PriceFacts['recurring']>): Recurring {
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' };
}

/** GET /v1/prices/:id */
export function retrievePrice(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'price');
}

/** POST /v1/prices/:id {active?, metadata?, nickname?, lookup_key?, currency_options?}: everything else about a price is for ever. */
export async function updatePrice(call: Call): Promise<Reply> {
  const before = await getObject<Price>(call.store, 'price', call.id);
  const params = readParams(call.form, {
    active: flag(),
    currency_options: currencyOptions,
    expand,
    lookup_key: clearable(lookupKey),
    metadata: metadata(),
    nickname: clearable(text()),
    tax_behavior: taxBehavior,
    transfer_lookup_key: flag(),
  });
  if (
    params.tax_behavior !== undefined &&
    before.tax_behavior !== 'unspecified' &&
    params.tax_behavior !== before.tax_behavior
  ) {
    throw refuse('tax_behavior cannot be changed once it is set.', { param: 'tax_behavior' });
  }
  await keepCurrencyOptions(call, before, params.currency_options);
  if (params.lookup_key && params.lookup_key !== before.lookup_key)
    await claimLookupKey(call, params.lookup_key, params.transfer_lookup_key ?? false);
  const { active, lookup_key, nickname, tax_behavior } = { ...before, ...params };
  const after: Price = {
    ...before,
    active,
    lookup_key,
    metadata: patched(before.metadata, params.metadata),
    nickname,
    tax_behavior,
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'price.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return replyWith(call, after, params.expand);
}

/** GET /v1/prices?active&product&lookup_keys[]&currency&type&created */
export function listPrices(call: ReadCall): Promise<Reply> {
  return answerList(call, 'price', {
    url: '/v1/prices',
    filters: {
      active: flag(),
      created: createdRange(),
      currency: currency(),
      lookup_keys: listOf(text(), 10),
      product: text(),
      recurring: group({
        interval: oneOf(intervals),
        meter: unbuilt(),
        usage_type: oneOf(['licensed']),
      }),
      type: oneOf(['one_time', 'recurring']),
    },
    where: ({ active, currency: code, lookup_keys, product, recurring: repeated, type }) => [
      { path: 'active', is: active },
      { path: 'currency', is: code },
      { path: 'product', is: product },
      { path: 'type', is: type },
      { path: 'recurring.interval', is: repeated?.interval },
      ...(lookup_keys === undefined ? [] : [{ path: 'lookup_key', in: lookup_keys }]),
    ],
  });
}

/** A lookup key belongs to one active price at a time. */
async function claimLookupKey(
  call: Call,
  key: string | undefined,
  transfer: boolean,
): Promise<void> {
  if (key === undefined) return;
  for (const holder of await allObjects<Price>(call.store, 'price', [
    { path: 'lookup_key', is: key },
  ])) {
    if (holder.active && !transfer)
      throw refuse(`A price (${holder.id}) already uses the lookup key ${key}.`, {
        param: 'lookup_key',
      });
    await saveObject(call.store, { ...holder, lookup_key: null } as Price);
  }
}
