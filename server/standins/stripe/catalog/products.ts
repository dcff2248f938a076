/** Products group prices; an archived product cannot be sold even if its price is active. */
import { seconds, type Call, type ReadCall } from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { answerObject } from '#server/standins/stripe/read-calls.ts';
import {
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { flag, metadata, need, readParams, text } from '#server/standins/stripe/transport/rules.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';

export interface Product extends StoredObject {
  object: 'product';
  active: boolean;
  default_price: null;
  description: null;
  images: [];
  livemode: false;
  marketing_features: [];
  metadata: Record<string, string>;
  name: string;
  package_dimensions: null;
  shippable: null;
  statement_descriptor: null;
  tax_code: null;
  tax_details: null;
  type: 'service';
  unit_label: null;
  updated: number;
  url: null;
}

export const productName = text({ max: 1500 });

/** POST /v1/products {name, id?, metadata?}. @throws StripeError 400 resource_already_exists */
export async function createProduct(call: Call): Promise<Reply> {
  const params = readParams(call.form, {
    id: text({ max: 100, form: /^[A-Za-z0-9_-]+$/, says: 'may hold letters, digits, _ and -' }),
    metadata: metadata(),
    name: need(productName),
  });
  const { id = newId('prod') } = params;
  if (await findObject<Product>(call.store, 'product', id))
    throw refuse(`Product already exists: ${id}`, { code: 'resource_already_exists', param: 'id' });
  const product = newProduct(call, { ...params, id });
  await insertObject(call.store, product);
  await emit(call, call, { type: 'product.created', object: product });
  return ok(product);
}

/** A product that is made with one session only: it is archived from the start. */
export async function insertAdHocProduct(call: Call, name: string): Promise<Product> {
  const product = { ...newProduct(call, { id: newId('prod'), name }), active: false };
  await insertObject(call.store, product);
  await emit(call, call, { type: 'product.created', object: product });
  return product;
}

interface AskedProduct extends Pick<Product, 'id' | 'name'> {
  metadata?: Record<string, string> | undefined;
}

function newProduct(call: ReadCall, { id, name, metadata: own }: AskedProduct): Product {
  const at = seconds(call);
  return {
    id,
    object: 'product',
    active: true,
    created: at,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: own ?? {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: at,
    url: null,
  };
}

/** GET /v1/products/:id */
export function retrieveProduct(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'product');
}

/** POST /v1/products/:id {name?, active?} */
export async function updateProduct(call: Call): Promise<Reply> {
  const before = await getObject<Product>(call.store, 'product', call.id);
  const params = readParams(call.form, { active: flag(), name: productName });
  const after: Product = { ...before, ...params, updated: seconds(call) };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'product.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return ok(after);
}
