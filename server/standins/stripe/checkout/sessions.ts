/** Checkout sessions: made by the shop and paid on the hosted page; payment, a call or time ends them. */
import { expand } from '#server/standins/stripe/read-calls.ts';
import type { Call, Desk, Reply, ReadCall } from '#server/standins/stripe/call.ts';
import { findCustomer, insertCustomer } from '#server/standins/stripe/payment/customers.ts';
import { missingObject, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { lineItemsOf, replyWith } from '#server/standins/stripe/expand.ts';
import { createdRange, listObjects, listParts, paging } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  savePrivate,
} from '#server/standins/stripe/statements/objects.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  cancelIntent,
  type PaymentIntent,
} from '#server/standins/stripe/payment/payment-intents.ts';
import {
  keepPaymentMethod,
  type BillingDetails,
} from '#server/standins/stripe/payment/payment-methods.ts';
import {
  clearable,
  email,
  group,
  metadata,
  need,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
} from '#server/standins/stripe/transport/rules.ts';
import { buildSession, type HiddenSession, type Session } from './session-build.ts';
import { hostedName, readSessionParams } from './session-params.ts';

/** POST /v1/checkout/sessions; the rules are in session-params.ts and session-build.ts. */
export async function createSession(call: Call): Promise<Reply> {
  const params = readSessionParams(call);
  const customer =
    params.customer === undefined ? undefined : await findCustomer(call, params.customer);
  if (params.customer !== undefined && !customer)
    throw missingObject('customer', params.customer, { param: 'customer', status: 400 });
  const { session, hidden } = await buildSession(call, params, customer?.email ?? null);
  await insertObject(call.store, session, hidden);
  await schedule(call.store, session.expires_at, { task: 'expire_session', subject: session.id });
  return replyWith(call, inVersion(call, session), params.expand);
}

/** GET /v1/checkout/sessions/:id */
export async function retrieveSession(call: ReadCall): Promise<Reply> {
  const { expand: paths } = readParams(call.form, { expand });
  return replyWith(
    call,
    inVersion(call, await getObject<Session>(call.store, 'checkout.session', call.id)),
    paths,
  );
}

/** GET /v1/checkout/sessions?status&payment_intent&customer&customer_details[email]&created */
export async function listSessions(call: ReadCall): Promise<Reply> {
  const {
    expand: paths,
    created,
    customer,
    customer_details,
    payment_intent,
    status,
    ...page
  } = readParams(call.form, {
    ...paging,
    expand,
    created: createdRange(),
    customer: text(),
    customer_account: unbuilt(),
    customer_details: group({ email: need(email()) }),
    payment_intent: text(),
    payment_link: unbuilt(),
    status: oneOf(['open', 'complete', 'expired']),
    subscription: unbuilt(),
  });
  const where = [
    { path: 'status', is: status },
    { path: 'payment_intent', is: payment_intent },
    { path: 'customer', is: customer },
    { path: 'customer_details.email', is: customer_details?.email },
  ];
  const list = await listObjects<Session>(call.store, 'checkout.session', {
    url: '/v1/checkout/sessions',
    page,
    created,
    where,
  });
  return replyWith(
    call,
    { ...list, data: list.data.map((session) => inVersion(call, session)) },
    paths,
  );
}

/** POST /v1/checkout/sessions/:id {metadata?, payment_intent_data{description?, metadata?}?}; the latter only before anybody has tried to pay. */
export async function updateSession(call: Call): Promise<Reply> {
  const before = await getObject<Session>(call.store, 'checkout.session', call.id);
  const params = readParams(call.form, {
    collected_information: unbuilt(),
    expand,
    line_items: unbuilt(),
    metadata: metadata(),
    shipping_options: unbuilt(),
    payment_intent_data: group({
      description: clearable(text({ max: 1000 })),
      metadata: metadata(),
      setup_future_usage: unbuilt(),
    }),
  });
  const { payment_intent_data: wanted } = params;
  if (wanted) {
    if (before.status !== 'open' || before.payment_intent !== null)
      throw refuseState(
        'payment_intent_data can only be changed while the session is open and nobody has tried to pay it.',
        { param: 'payment_intent_data' },
      );
    const hidden = await readPrivate<HiddenSession>(call.store, before.id);
    const { description, ...rest } = hidden.intent;
    const wording =
      wanted.description === undefined ? description : (wanted.description ?? undefined);
    await savePrivate(call.store, before.id, {
      ...hidden,
      intent: {
        ...rest,
        ...(wording === undefined ? {} : { description: wording }),
        metadata: patched(rest.metadata ?? {}, wanted.metadata),
      },
    } satisfies HiddenSession);
  }
  const after: Session = { ...before, metadata: patched(before.metadata, params.metadata) };
  await saveObject(call.store, after);
  return replyWith(call, inVersion(call, after), params.expand);
}

/** POST /v1/checkout/sessions/:id/expire: only while it is open, else 400. */
export async function expireSession(call: Call): Promise<Reply> {
  const before = await getObject<Session>(call.store, 'checkout.session', call.id);
  const { expand: paths } = readParams(call.form, { expand });
  if (before.status !== 'open') {
    throw refuseState(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${before.status}.`,
    );
  }
  return replyWith(call, inVersion(call, await endSession(call, call, before)), paths);
}

/** GET /v1/checkout/sessions/:id/line_items */
export async function listSessionLineItems(call: ReadCall): Promise<Reply> {
  const { expand: paths, ...page } = readParams(call.form, { ...paging, expand });
  const { id } = await getObject<Session>(call.store, 'checkout.session', call.id);
  const { line_items } = await readPrivate<HiddenSession>(call.store, id);
  return replyWith(
    call,
    listParts(line_items, { url: (await lineItemsOf(call, id)).url, page, kind: 'item' }),
    paths,
  );
}

/** Its time has come; by the clock. */
export async function expireDueSession(desk: Desk, id: string): Promise<void> {
  const session = await findObject<Session>(desk.store, 'checkout.session', id);
  if (session?.status === 'open') await endSession(desk, null, session);
}

/** Paid, on its way, or free: the buyer is done with it. */
export async function completeSession(
  call: Call,
  before: Session,
  outcome: {
    billing: BillingDetails;
    payment_intent: string | null;
    payment_status: Session['payment_status'];
  },
): Promise<Session> {
  const { billing, payment_intent, payment_status } = outcome;
  const made =
    before.customer_creation === 'always'
      ? await insertCustomer(call, {
          email: billing.email ?? undefined,
          name: billing.name ?? undefined,
          phone: billing.phone ?? undefined,
        })
      : null;
  const after: Session = {
    ...before,
    customer: made?.id ?? before.customer,
    customer_details: {
      address: billing.address,
      business_name: null,
      email: billing.email,
      individual_name: null,
      name: billing.name,
      phone: billing.phone,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_intent,
    payment_status,
    status: 'complete',
    url: null,
  };
  if (made !== null && payment_intent !== null) await keepFor(call, made.id, payment_intent);
  await saveObject(call.store, after);
  await emit(call, call, { type: 'checkout.session.completed', object: after });
  return after;
}

/** The customer whom the session has made keeps the method, where the shop wants to use it again. */
async function keepFor(call: Call, customer: string, intent_id: string): Promise<void> {
  const { setup_future_usage, payment_method } = await getObject<PaymentIntent>(
    call.store,
    'payment_intent',
    intent_id,
  );
  if (setup_future_usage !== null && payment_method !== null)
    await keepPaymentMethod(call, payment_method, customer);
}

/** A try that did not pay it is remembered. */
export async function keepSession(desk: Desk, session: Session): Promise<void> {
  await saveObject(desk.store, session);
}

/** Days after the buyer was done with it the money came, or did not. */
export async function finishSession(desk: Desk, intent: string, paid: boolean): Promise<void> {
  for (const before of await allObjects<Session>(desk.store, 'checkout.session', [
    { path: 'payment_intent', is: intent },
  ])) {
    const after: Session = { ...before, payment_status: paid ? 'paid' : 'unpaid' };
    await saveObject(desk.store, after);
    await emit(desk, null, {
      type: paid
        ? 'checkout.session.async_payment_succeeded'
        : 'checkout.session.async_payment_failed',
      object: after,
    });
  }
}

/** Names that changed between API versions are written in the caller's. */
function inVersion(call: ReadCall, session: Session): object {
  return { ...session, ui_mode: hostedName(call.version) };
}

async function endSession(desk: Desk, cause: Cause, before: Session): Promise<Session> {
  const known = before.customer_email;
  const after: Session = {
    ...before,
    status: 'expired',
    url: null,
    customer_details:
      known === null
        ? null
        : {
            address: null,
            business_name: null,
            email: known,
            individual_name: null,
            name: null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: null,
          },
  };
  await saveObject(desk.store, after);
  if (before.payment_intent !== null)
    await cancelIntent(desk, cause, { id: before.payment_intent, reason: 'expired' });
  await emit(desk, cause, { type: 'checkout.session.expired', object: after });
  return after;
}
