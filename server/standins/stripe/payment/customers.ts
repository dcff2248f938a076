/** Customers of the shop, and the payment methods saved with them. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { customerShipping, wholeShipping, type Shipping } from './shipping.ts';
import {
  ok,
  seconds,
  type Call,
  type Reply,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { missingObject, refuse, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import { createdRange, listObjects, paging } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  deleteObject,
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { findTestCard } from './cards.ts';
import { findTestIban } from './ibans.ts';
import { takePaymentMethod, wasUsed, type PaymentMethod } from './payment-methods.ts';
import {
  clearable,
  email,
  group,
  listOf,
  metadata,
  need,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';

interface Customer extends StoredObject {
  object: 'customer';
  address: object | null;
  balance: 0;
  currency: null;
  customer_account: null;
  default_source: null;
  delinquent: false;
  description: string | null;
  email: string | null;
  invoice_prefix: string;
  invoice_settings: {
    custom_fields: null;
    default_payment_method: null;
    footer: null;
    rendering_options: null;
  };
  livemode: false;
  metadata: Record<string, string>;
  name: string | null;
  next_invoice_sequence: 1;
  phone: string | null;
  preferred_locales: string[];
  shipping: Pick<Shipping, 'address' | 'name' | 'phone'> | null;
  tax_exempt: 'none' | 'exempt' | 'reverse';
  test_clock: null;
}

const line = clearable(text({ max: 500 }));
const fields = {
  address: clearable(
    group({ city: line, country: line, line1: line, line2: line, postal_code: line, state: line }),
  ),
  description: clearable(text()),
  email: clearable(email()),
  metadata: metadata(),
  name: clearable(text({ max: 256 })),
  phone: clearable(text({ max: 20 })),
  preferred_locales: listOf(text({ max: 20 }), 20),
  tax_exempt: oneOf(['none', 'exempt', 'reverse']),
  balance: unbuilt(),
  business_name: unbuilt(),
  cash_balance: unbuilt(),
  coupon: unbuilt(),
  default_source: unbuilt(),
  individual_name: unbuilt(),
  invoice_prefix: unbuilt(),
  invoice_settings: unbuilt(),
  next_invoice_sequence: unbuilt(),
  payment_method: unbuilt(),
  promotion_code: unbuilt(),
  shipping: clearable(customerShipping),
  source: unbuilt(),
  tax: unbuilt(),
  tax_id_data: unbuilt(),
  test_clock: unbuilt(),
  validate: unbuilt(),
};

/** POST /v1/customers {email?, name?, phone?, description?, address?, metadata?, …} */
export async function createCustomer(call: Call): Promise<Reply> {
  const { expand: paths, ...params } = readParams(call.form, { ...fields, expand });
  return replyWith(call, await insertCustomer(call, params), paths);
}

function recipientOf(given: Parameters<typeof wholeShipping>[0]): Customer['shipping'] {
  const { address, name, phone } = wholeShipping(given);
  return { address, name, phone };
}

/** Also for a session that is to make one. */
export async function insertCustomer(call: Call, facts: Read<typeof fields>): Promise<Customer> {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: facts.address ? wholeAddress(facts.address) : null,
    balance: 0,
    created: seconds(call),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: facts.description ?? null,
    email: facts.email ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: patched({}, facts.metadata),
    name: facts.name ?? null,
    next_invoice_sequence: 1,
    phone: facts.phone ?? null,
    preferred_locales: facts.preferred_locales ?? [],
    shipping: facts.shipping ? recipientOf(facts.shipping) : null,
    tax_exempt: facts.tax_exempt ?? 'none',
    test_clock: null,
  };
  await insertObject(call.store, customer);
  await emit(call, call, { type: 'customer.created', object: customer });
  return customer;
}

export async function findCustomer(desk: ReadDesk, id: string): Promise<Customer | undefined> {
  return findObject<Customer>(desk.store, 'customer', id);
}

/** GET /v1/customers/:id; of one that was deleted it is still told that there was one. */
export async function retrieveCustomer(call: ReadCall): Promise<Reply> {
  const gone = await findObject<StoredObject>(call.store, deletedKind, call.id);
  return gone ? ok(deletedAnswer(call.id)) : answerObject(call, 'customer');
}

const deletedKind = 'deleted_customer';

function deletedAnswer(id: string): object {
  return { id, object: 'customer', deleted: true };
}

/** GET /v1/customers?email&created */
export function listCustomers(call: ReadCall): Promise<Reply> {
  return answerList(call, 'customer', {
    url: '/v1/customers',
    filters: { created: createdRange(), email: email(), test_clock: unbuilt() },
  });
}

/** POST /v1/customers/:id */
export async function updateCustomer(call: Call): Promise<Reply> {
  const before = await getObject<Customer>(call.store, 'customer', call.id);
  const {
    expand: paths,
    metadata: patch,
    address,
    shipping,
    ...params
  } = readParams(call.form, { ...fields, expand });
  const after: Customer = {
    ...before,
    ...params,
    metadata: patched(before.metadata, patch),
    address: address === undefined ? before.address : address && wholeAddress(address),
    shipping: shipping === undefined ? before.shipping : shipping && recipientOf(shipping),
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'customer.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return replyWith(call, after, paths);
}

/** DELETE /v1/customers/:id; what was paid stays, the payment methods are let go. */
export async function deleteCustomer(call: Call): Promise<Reply> {
  const customer = await getObject<Customer>(call.store, 'customer', call.id);
  for (const method of await methodsOf(call, customer.id))
    await saveObject(call.store, { ...method, customer: null } as PaymentMethod);
  await deleteObject(call.store, customer.id);
  await insertObject(call.store, {
    id: customer.id,
    object: deletedKind,
    created: customer.created,
  });
  await emit(call, call, { type: 'customer.deleted', object: customer });
  return ok(deletedAnswer(customer.id));
}

/** GET /v1/customers/:id/payment_methods?type */
export async function listCustomerPaymentMethods(call: ReadCall): Promise<Reply> {
  const {
    expand: paths,
    type,
    ...page
  } = readParams(call.form, { ...paging, expand, allow_redisplay: unbuilt(), type: text() });
  const { id } = await getObject<Customer>(call.store, 'customer', call.id);
  const where = [
    { path: 'customer', is: id },
    { path: 'type', is: type },
  ];
  return replyWith(
    call,
    await listObjects<PaymentMethod>(call.store, 'payment_method', {
      url: `/v1/customers/${id}/payment_methods`,
      page,
      where,
    }),
    paths,
  );
}

/** POST /v1/payment_methods/:id/attach {customer}; one that has already paid by itself cannot be kept any more. A well-known `pm_card_…` is kept as a method of its own. */
export async function attachPaymentMethod(call: Call): Promise<Reply> {
  const isWellKnown = (findTestCard(call.id) ?? findTestIban(call.id)) !== undefined;
  const before = isWellKnown
    ? (await takePaymentMethod(call, call.id)).method
    : await getObject<PaymentMethod>(call.store, 'payment_method', call.id);
  const params = readParams(call.form, {
    customer: need(text()),
    customer_account: unbuilt(),
    expand,
  });
  if (!(await findCustomer(call, params.customer)))
    throw missingObject('customer', params.customer, { param: 'customer', status: 400 });
  if (before.customer !== null && before.customer !== params.customer)
    throw refuseState('The payment method you provided has already been attached to a customer.', {
      param: 'customer',
    });
  if (before.type !== 'card' && before.type !== 'sepa_debit')
    throw refuse(`A PaymentMethod of the type ${before.type} cannot be saved to a customer here.`, {
      param: 'customer',
    });
  if (before.customer === null && (await wasUsed(call, before.id)))
    throw refuseState(
      'This PaymentMethod was previously used without being attached to a Customer, and may not be used again.',
    );
  return move(call, before, {
    customer: params.customer,
    type: 'payment_method.attached',
    expand: params.expand,
  });
}

/** POST /v1/payment_methods/:id/detach */
export async function detachPaymentMethod(call: Call): Promise<Reply> {
  const before = await getObject<PaymentMethod>(call.store, 'payment_method', call.id);
  const params = readParams(call.form, { expand });
  if (before.customer === null)
    throw refuseState(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  return move(call, before, {
    customer: null,
    type: 'payment_method.detached',
    expand: params.expand,
  });
}

async function move(
  call: Call,
  before: PaymentMethod,
  to: { customer: string | null; type: string; expand: string[] | undefined },
): Promise<Reply> {
  const after: PaymentMethod = { ...before, customer: to.customer };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: to.type,
    object: after,
    ...(to.customer === null ? { previous: changesOf(before, after) } : {}),
  });
  return replyWith(call, after, to.expand);
}

async function methodsOf(call: ReadCall, customer: string): Promise<PaymentMethod[]> {
  return allObjects<PaymentMethod>(call.store, 'payment_method', [
    { path: 'customer', is: customer },
  ]);
}

function wholeAddress(address: object): object {
  return {
    city: null,
    country: null,
    line1: null,
    line2: null,
    postal_code: null,
    state: null,
    ...address,
  };
}
