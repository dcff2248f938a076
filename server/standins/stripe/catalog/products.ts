/** Products: what prices belong to; an archived one cannot be sold even if its price is still active. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { ok, seconds, type Call, type Reply, type ReadCall } from '#server/standins/stripe/call.ts';
import { missingObject, refuse } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  deleteObject,
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import {
  clearable,
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
  webAddress,
  type MetadataPatch,
} from '#server/standins/stripe/transport/rules.ts';

export interface Product extends StoredObject {
  object: 'product';
  active: boolean;
  default_price: string | null;
  description: string | null;
  images: string[];
  livemode: false;
  marketing_features: { name: string }[];
  metadata: Record<string, string>;
  name: string;
  package_dimensions: null;
  shippable: boolean | null;
  statement_descriptor: string | null;
  tax_code: string | null;
  tax_details: null;
  type: 'good' | 'service';
  unit_label: string | null;
  updated: number;
  url: string | null;
}

const name = text({ max: 1500 });
const images = listOf(webAddress(), 8);
const features = listOf(group({ name: need(text({ max: 80 })) }), 15);
const unitLabel = text({ max: 12 });
/** What a product is made with and may be changed in. */
const productFields = {
  active: flag(),
  metadata: metadata(),
  package_dimensions: unbuilt(),
  shippable: flag(),
  statement_descriptor: text({ max: 22 }),
  tax_code: unbuilt(),
  tax_details: unbuilt(),
};
/** What only a new one takes as it is; a change may also remove it. */
export const newProductFields = {
  ...productFields,
  name: need(name),
  description: text(),
  images,
  marketing_features: features,
  unit_label: unitLabel,
  url: webAddress(),
};

/** Makes and announces a product; also for a price that brings its own. */
export async function insertProduct(
  call: Call,
  facts: Partial<Omit<Product, 'metadata'>> & { name: string; metadata?: MetadataPatch },
): Promise<Product> {
  const at = seconds(call);
  const product: Product = {
    id: facts.id ?? newId('prod'),
    object: 'product',
    active: facts.active ?? true,
    created: at,
    default_price: null,
    description: facts.description ?? null,
    images: facts.images ?? [],
    livemode: false,
    marketing_features: facts.marketing_features ?? [],
    metadata: patched({}, facts.metadata),
    name: facts.name,
    package_dimensions: null,
    shippable: facts.shippable ?? null,
    statement_descriptor: facts.statement_descriptor ?? null,
    tax_code: null,
    tax_details: null,
    type: facts.type ?? 'service',
    unit_label: facts.unit_label ?? null,
    updated: at,
    url: facts.url ?? null,
  };
  await insertObject(call.store, product);
  await emit(call, call, { type: 'product.created', object: product });
  return product;
}

/** GET /v1/products/:id */
export function retrieveProduct(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'product');
}

/** POST /v1/products/:id */
export async function updateProduct(call: Call): Promise<Reply> {
  const before = await getObject<Product>(call.store, 'product', call.id);
  const {
    expand: paths,
    metadata: patch,
    images: pictures,
    marketing_features: promised,
    ...params
  } = readParams(call.form, {
    ...productFields,
    default_price: text(),
    description: clearable(text()),
    expand,
    images: clearable(images),
    marketing_features: clearable(features),
    name,
    unit_label: clearable(unitLabel),
    url: clearable(webAddress()),
  });
  if (params.default_price !== undefined) {
    const price = await findObject<StoredObject & { object: 'price'; product: string }>(
      call.store,
      'price',
      params.default_price,
    );
    if (price?.product !== before.id)
      throw missingObject('price', params.default_price, { param: 'default_price', status: 400 });
  }
  const after: Product = {
    ...before,
    ...params,
    images: pictures === undefined ? before.images : (pictures ?? []),
    marketing_features: promised === undefined ? before.marketing_features : (promised ?? []),
    metadata: patched(before.metadata, patch),
    updated: seconds(call),
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'product.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return replyWith(call, after, paths);
}

/** GET /v1/products?active&ids&created&shippable&type&url */
export function listProducts(call: ReadCall): Promise<Reply> {
  return answerList(call, 'product', {
    url: '/v1/products',
    filters: {
      active: flag(),
      ids: listOf(text(), 100),
      created: createdRange(),
      shippable: flag(),
      type: oneOf(['good', 'service']),
      url: text(),
    },
    where: ({ active, ids, shippable, type, url }) => [
      { path: 'active', is: active },
      { path: 'shippable', is: shippable },
      { path: 'type', is: type },
      { path: 'url', is: url },
      ...(ids === undefined ? [] : [{ path: 'id', in: ids }]),
    ],
  });
}

/** DELETE /v1/products/:id; refused while prices belong to it, since those stay for ever. */
export async function deleteProduct(call: Call): Promise<Reply> {
  const product = await getObject<Product>(call.store, 'product', call.id);
  const prices = await allObjects<StoredObject & { object: 'price' }>(call.store, 'price', [
    { path: 'product', is: product.id },
  ]);
  if (prices.length > 0)
    throw refuse(
      'This product cannot be deleted because it has one or more prices; archive it instead.',
    );
  await deleteObject(call.store, product.id);
  await emit(call, call, { type: 'product.deleted', object: product });
  return ok({ id: product.id, object: 'product', deleted: true });
}
