/** Checkout sessions: the shop makes them; a payment, a call or the clock ends them. */
import type { Call, Desk, ReadCall } from '#server/standins/stripe/call.ts';
import { cancelIntent } from '#server/standins/stripe/payment/payment-intents.ts';
import type { BillingDetails } from '#server/standins/stripe/payment/payment-methods.ts';
import { answerList, answerObject } from '#server/standins/stripe/read-calls.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  getObject,
  insertObject,
  saveObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuseState } from '#server/standins/stripe/transport/errors.ts';
import { readParams } from '#server/standins/stripe/transport/rules.ts';
import { emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { buildSession, type Session } from './session-build.ts';
import { readSessionParams } from './session-params.ts';

/** POST /v1/checkout/sessions; the rules are in session-params.ts and session-build.ts. */
export async function createSession(call: Call): Promise<Reply> {
  const { session, hidden } = await buildSession(call, readSessionParams(call));
  await insertObject(call.store, session, hidden);
  await schedule(call.store, session.expires_at, { task: 'expire_session', subject: session.id });
  return ok(session);
}

/** GET /v1/checkout/sessions/:id */
export function retrieveSession(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'checkout.session');
}

/** GET /v1/checkout/sessions?created */
export function listSessions(call: ReadCall): Promise<Reply> {
  return answerList(call, 'checkout.session', { url: '/v1/checkout/sessions', filters: {} });
}

/** POST /v1/checkout/sessions/:id/expire: 400 unless the session is open. */
export async function expireSession(call: Call): Promise<Reply> {
  readParams(call.form, {});
  const before = await getObject<Session>(call.store, 'checkout.session', call.id);
  if (before.status !== 'open') {
    throw refuseState(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${before.status}.`,
    );
  }
  return ok(await endSession(call, call, before));
}

/** Ends a session whose time is over; called by the clock. */
export async function expireDueSession(desk: Desk, id: string): Promise<void> {
  const session = await findObject<Session>(desk.store, 'checkout.session', id);
  if (session?.status === 'open') await endSession(desk, null, session);
}

export async function completeSession(
  call: Call,
  before: Session,
  { address, email, name, phone }: BillingDetails,
): Promise<Session> {
  const after: Session = {
    ...before,
    customer_details: {
      address,
      business_name: null,
      email: before.customer_email ?? email,
      individual_name: null,
      name,
      phone,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_status: 'paid',
    status: 'complete',
    url: null,
  };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'checkout.session.completed', object: after });
  return after;
}

async function endSession(desk: Desk, cause: Cause, before: Session): Promise<Session> {
  const after: Session = { ...before, status: 'expired', url: null };
  await saveObject(desk.store, after);
  if (before.payment_intent !== null) await cancelIntent(desk, cause, before.payment_intent);
  await emit(desk, cause, { type: 'checkout.session.expired', object: after });
  return after;
}
