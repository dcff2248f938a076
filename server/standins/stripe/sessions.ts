/** Checkout sessions: made by the shop, paid on the hosted page, and over by payment, by call or by time. */
import { seconds, type Call, type Desk, type Reply } from './call.ts';
import { refuse } from './errors.ts';
import { emit, type Cause } from './events.ts';
import { lineItemsOf, replyWith } from './expand.ts';
import {
  allObjects, createdRange, getObject, insertObject, listObjects, listParts, paging, readPrivate, saveObject,
} from './objects.ts';
import { cancelIntent } from './payment-intents.ts';
import { email, group, listOf, metadata, need, oneOf, patched, readParams, text, unbuilt } from './rules.ts';
import { buildSession, type HiddenSession, type Session } from './session-build.ts';
import { hostedName, readSessionParams } from './session-params.ts';

const expand = listOf(text(), 20);

/** POST /v1/checkout/sessions; the rules are in session-params.ts and session-build.ts. */
export function createSession(call: Call): Reply {
  const params = readSessionParams(call);
  const { session, hidden } = buildSession(call, params);
  insertObject(call.store, session, hidden);
  return replyWith(call, inVersion(call, session), params.expand);
}

/** GET /v1/checkout/sessions/:id */
export function retrieveSession(call: Call): Reply {
  const { expand: paths } = readParams(call.form, { expand });
  return replyWith(call, inVersion(call, getObject<Session>(call.store, 'checkout.session', call.id)), paths);
}

/** GET /v1/checkout/sessions?status&payment_intent&customer&customer_details[email]&created */
export function listSessions(call: Call): Reply {
  const { expand: paths, created, customer, customer_details, payment_intent, status, ...page } = readParams(call.form, {
    ...paging, expand, created: createdRange(), customer: text(), customer_account: unbuilt(), customer_details: group({ email: need(email()) }),
    payment_intent: text(), payment_link: unbuilt(), status: oneOf(['open', 'complete', 'expired']), subscription: unbuilt(),
  });
  const where = [
    { path: 'status', is: status }, { path: 'payment_intent', is: payment_intent }, { path: 'customer', is: customer },
    { path: 'customer_details.email', is: customer_details?.email },
  ];
  const list = listObjects<Session>(call.store, 'checkout.session', { url: '/v1/checkout/sessions', page, created, where });
  return replyWith(call, { ...list, data: list.data.map((session) => inVersion(call, session)) }, paths);
}

/** POST /v1/checkout/sessions/:id {metadata} */
export function updateSession(call: Call): Reply {
  const before = getObject<Session>(call.store, 'checkout.session', call.id);
  const params = readParams(call.form, {
    collected_information: unbuilt(), expand, line_items: unbuilt(), metadata: metadata(), payment_intent_data: unbuilt(), shipping_options: unbuilt(),
  });
  const after: Session = { ...before, metadata: patched(before.metadata, params.metadata) };
  saveObject(call.store, after);
  return replyWith(call, inVersion(call, after), params.expand);
}

/** POST /v1/checkout/sessions/:id/expire: only while it is open, else 400. */
export function expireSession(call: Call): Reply {
  const before = getObject<Session>(call.store, 'checkout.session', call.id);
  const { expand: paths } = readParams(call.form, { expand });
  if (before.status !== 'open') {
    throw refuse(`Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${before.status}.`);
  }
  return replyWith(call, inVersion(call, endSession(call, call, before)), paths);
}

/** GET /v1/checkout/sessions/:id/line_items */
export function listSessionLineItems(call: Call): Reply {
  const { expand: paths, ...page } = readParams(call.form, { ...paging, expand });
  const { id } = getObject<Session>(call.store, 'checkout.session', call.id);
  const { line_items } = readPrivate<HiddenSession>(call.store, id);
  return replyWith(call, listParts(line_items, { url: lineItemsOf(call, id).url, page, kind: 'item' }), paths);
}

/** Ends every open session whose time has come; called before each request and by the clock. */
export function expireDueSessions(desk: Desk): void {
  const due = allObjects<Session>(desk.store, 'checkout.session', [{ path: 'status', is: 'open' }, { path: 'expires_at', atMost: seconds(desk) }]);
  if (due.length === 0) return;
  desk.store.transaction(() => {
    for (const session of due) endSession(desk, null, session);
  }).immediate();
}

/** Names that changed between API versions are written in the caller's. */
export function inVersion(call: Call, session: Session): object {
  return { ...session, ui_mode: hostedName(call.version) };
}

function endSession(desk: Desk, cause: Cause, before: Session): Session {
  const known = before.customer_email;
  const after: Session = {
    ...before,
    status: 'expired',
    url: null,
    customer_details: known === null ? null : {
      address: null, business_name: null, email: known, individual_name: null, name: null, phone: null, tax_exempt: 'none', tax_ids: null,
    },
  };
  saveObject(desk.store, after);
  if (before.payment_intent !== null) cancelIntent(desk, cause, before.payment_intent);
  emit(desk, cause, { type: 'checkout.session.expired', object: after });
  return after;
}
