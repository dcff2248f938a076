/**
 * The two calls behind the hosted page: one shows what is to be paid, the other pays it.
 * A program that makes these calls pays exactly as the page does.
 *
 * 1. `GET /v1/payment_pages/:cs` → the line items, `payment_method_types`, `status`, and
 *    `next_action` while a question waits.
 * 2. `POST /v1/payment_pages/:cs/confirm {payment_method, expected_amount, email?, name?,
 *    phone?, custom_fields[key]?}` →
 *    - 200 `status: complete`: paid; go to `success_url`.
 *    - 200 `status: open` and `next_action: {id, type: authenticate | redirect,
 *      payment_method_type}`: the bank (3-D Secure) or the wallet asks the buyer. Answer with the
 *      same call: `{next_action: <id>, outcome: approve | refuse, expected_amount}` → 200 or
 *      402. A new payment method instead of an answer drops the question.
 *    - 402 `card_error` (or `payment_intent_authentication_failure`,
 *      `payment_method_customer_decline` after a refused question): the session stays open.
 *    - 400 if the session is not open (`checkout_session_not_open`), the amount differs
 *      (`param: expected_amount`), or another question waits (`param: next_action`); 429 after
 *      thirty attempts.
 */
import type { Call, ReadCall } from '#server/standins/stripe/call.ts';
import {
  answerStep,
  attemptPayment,
  insertPaymentIntent,
  stepOf,
  type Attempt,
  type PaymentIntent,
} from '#server/standins/stripe/payment/payment-intents.ts';
import {
  emptyAddress,
  takePaymentMethod,
  type BillingDetails,
} from '#server/standins/stripe/payment/payment-methods.ts';
import {
  findObject,
  getObject,
  readPrivate,
  saveObject,
  savePrivate,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import {
  missingParam,
  refuse,
  refuseState,
  StripeError,
} from '#server/standins/stripe/transport/errors.ts';
import {
  clearable,
  email,
  groupOf,
  integer,
  need,
  oneOf,
  readParams,
  text,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';
import { pageOf } from './page-shape.ts';
import type { CustomField, HiddenSession, Session } from './session-build.ts';
import { completeSession } from './sessions.ts';

/** The most attempts with cards on one session; real buyers stop much earlier. */
const MAX_TRIES = 30;
const MAX_ANSWER = 255;

const confirmFields = {
  expected_amount: need(integer()),
  payment_method: text(),
  next_action: text(),
  outcome: oneOf(['approve', 'refuse']),
  email: clearable(email()),
  name: clearable(text({ max: 500 })),
  phone: clearable(text({ max: 40 })),
  custom_fields: groupOf(clearable(text({ max: MAX_ANSWER }))),
};
type Confirm = Read<typeof confirmFields>;

/** GET /v1/payment_pages/:cs */
export async function retrievePaymentPage(call: ReadCall): Promise<Reply> {
  readParams(call.form, {});
  const session = await getObject<Session>(call.store, 'checkout.session', call.id);
  return ok(await pageOf(call, session));
}

/** POST /v1/payment_pages/:cs/confirm: see above. */
export async function confirmPaymentPage(call: Call): Promise<Reply> {
  const params = readParams(call.form, confirmFields);
  const { next_action, outcome, expected_amount } = params;
  if (next_action === undefined && outcome !== undefined) throw missingParam('next_action');
  if (next_action !== undefined && outcome === undefined) throw missingParam('outcome');
  const session = await getObject<Session>(call.store, 'checkout.session', call.id);
  if (session.status !== 'open') {
    throw refuseState(
      `This Checkout Session can no longer be paid: only a status of open can be confirmed, and it is ${session.status}.`,
      { code: 'checkout_session_not_open' },
    );
  }
  if (expected_amount !== session.amount_total) {
    throw refuse(
      `expected_amount (${expected_amount}) is not the amount of this Checkout Session (${session.amount_total}).`,
      { param: 'expected_amount' },
    );
  }
  return outcome === undefined ? pay(call, session, params) : answer(call, session, params);
}

async function pay(call: Call, session: Session, params: Confirm): Promise<Reply> {
  const filled = filledFields(session, params.custom_fields ?? {});
  if (params.payment_method === undefined) throw missingParam('payment_method');
  if (session.phone_number_collection.enabled && !params.phone) throw missingParam('phone');
  const hidden = await readPrivate<HiddenSession>(call.store, session.id);
  if (hidden.tries >= MAX_TRIES)
    throw new StripeError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Too many attempts to pay this Checkout Session.',
    });
  const { method, behaviour } = await takePaymentMethod(call, params.payment_method);
  if (!session.payment_method_types.includes(method.type)) {
    throw refuse(
      `This Checkout Session cannot be paid with ${method.type}, only with ${session.payment_method_types.join(', ')}.`,
      { param: 'payment_method' },
    );
  }
  const tried: HiddenSession = { ...hidden, tries: hidden.tries + 1, filled };
  await savePrivate(call.store, session.id, tried);
  const billing = billingOf(params, method.billing_details);
  const intent = await intentOf(call, session, hidden);
  return finish(call, session, {
    attempt: await attemptPayment(call, intent, { method, behaviour, billing }),
    billing,
  });
}

async function answer(call: Call, session: Session, params: Confirm): Promise<Reply> {
  const { payment_intent: id } = session;
  const intent =
    id === null ? undefined : await findObject<PaymentIntent>(call.store, 'payment_intent', id);
  const step = intent && (await stepOf(call, intent));
  if (step?.id !== params.next_action || !step)
    throw refuseState('This is not the question that waits for an answer.', {
      param: 'next_action',
    });
  const isApproved = params.outcome === 'approve';
  return finish(call, session, {
    attempt: await answerStep(call, intent, { step, isApproved }),
    billing: step.billing,
  });
}

async function finish(
  call: Call,
  session: Session,
  { attempt, billing }: { attempt: Attempt; billing: BillingDetails },
): Promise<Reply> {
  const tried: Session = { ...session, payment_intent: attempt.intent.id };
  if (attempt.state === 'paid') {
    const { filled } = await readPrivate<HiddenSession>(call.store, session.id);
    const custom_fields = filled ?? session.custom_fields;
    return ok(
      await pageOf(call, await completeSession(call, { ...tried, custom_fields }, billing)),
    );
  }
  await saveObject(call.store, tried);
  return attempt.state === 'step'
    ? ok(await pageOf(call, tried))
    : { status: attempt.refusal.status, body: { error: attempt.refusal.body } };
}

/** The first attempt makes the session's only intent. */
async function intentOf(
  call: Call,
  session: Session,
  { intent }: HiddenSession,
): Promise<PaymentIntent> {
  if (session.payment_intent !== null)
    return getObject<PaymentIntent>(call.store, 'payment_intent', session.payment_intent);
  const { amount_total: amount, currency, payment_method_types } = session;
  const facts = { ...intent, amount, currency, payment_method_types };
  return insertPaymentIntent(call, facts, session.url ?? '');
}

function billingOf(
  typed: Pick<Confirm, 'email' | 'name' | 'phone'>,
  of: BillingDetails,
): BillingDetails {
  return {
    address: emptyAddress('IT'),
    email: typed.email ?? of.email,
    name: typed.name ?? of.name,
    phone: typed.phone ?? null,
    tax_id: null,
  };
}

function filledFields(session: Session, answers: Record<string, string | null>): CustomField[] {
  for (const key of Object.keys(answers)) {
    const param = `custom_fields[${key}]`;
    if (!session.custom_fields.some((field) => field.key === key))
      throw refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  return session.custom_fields.map((field) => ({
    ...field,
    text: { ...field.text, value: answers[field.key] ?? null },
  }));
}
