/**
 * The two calls behind the hosted page: what is to be paid, and paying it; whoever makes them pays exactly as the page does.
 *
 * 1. `GET /v1/payment_pages/:cs` → what is bought, how it may be paid (`payment_method_types`), `status`, and `next_action` while a question waits.
 * 2. `POST /v1/payment_pages/:cs/confirm {payment_method | payment_method_data, expected_amount, email?, name?, phone?, custom_fields[key]?}` →
 *    - 200 `status: complete`: paid; go to `success_url`. With a slow method (sepa_debit) `payment_status` is still `unpaid`.
 *    - 200 `status: open` and `next_action: {id, type: authenticate | redirect, payment_method_type}`: the bank (3-D Secure) or the wallet asks the buyer
 *      first. Answer with the same call: `{next_action: <id>, outcome: approve | refuse, expected_amount}` → 200 or 402 as above and below.
 *      Confirming again with a payment method instead gives the question up.
 *    - 402 `card_error` (or `payment_intent_authentication_failure`, `payment_method_customer_decline` after a refused question): the session stays open.
 *    - 400 when it is not open (`checkout_session_not_open`), the sum is another (`param: expected_amount`), or the question is not the one that waits
 *      (`param: next_action`); 429 after thirty tries.
 *
 * A payment intent of the shop's own that waits for its buyer has a page too: its client secret stands in for the session's id, and only the answer is left to give.
 */
import { emptyAddress } from '#server/standins/stripe/payment/address.ts';
import { ok, type Call, type Reply, type ReadCall } from '#server/standins/stripe/call.ts';
import {
  missingObject,
  refuse,
  refuseState,
  StripeError,
  missingParam,
} from '#server/standins/stripe/transport/errors.ts';
import { answerIntentPage, findIntentOfPage, intentPageOf } from './intent-pages.ts';
import type { PaymentPage } from './page-shape.ts';
import { nextActionOf } from './page-shape.ts';
import {
  answerStep,
  attemptPayment,
  insertPaymentIntent,
  type Attempt,
  type HiddenIntent,
  type PaymentIntent,
} from '#server/standins/stripe/payment/payment-intents.ts';
import {
  findObject,
  getObject,
  readPrivate,
  savePrivate,
} from '#server/standins/stripe/statements/objects.ts';
import {
  insertPaymentMethod,
  paymentMethodFields,
  takePaymentMethod,
  type BillingDetails,
} from '#server/standins/stripe/payment/payment-methods.ts';
import {
  clearable,
  email,
  group,
  groupOf,
  integer,
  need,
  oneOf,
  readParams,
  text,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';
import type { CustomField, HiddenSession, Session } from './session-build.ts';
import { completeSession, keepSession } from './sessions.ts';

/** A card may be tried so often on one session; real buyers stop much earlier. */
const MAX_TRIES = 30;

const confirmFields = {
  expected_amount: need(integer()),
  payment_method: text(),
  payment_method_data: group(paymentMethodFields),
  next_action: text(),
  outcome: oneOf(['approve', 'refuse']),
  email: clearable(email()),
  name: clearable(text({ max: 500 })),
  phone: clearable(text({ max: 100 })),
  custom_fields: groupOf(clearable(text({ max: 255 }))),
};
type Confirm = Read<typeof confirmFields>;

/** GET /v1/payment_pages/:cs */
export async function retrievePaymentPage(call: ReadCall): Promise<Reply> {
  readParams(call.form, {});
  const page = await findPage(call);
  if (!page) throw missingObject('checkout.session', call.id);
  return ok(page);
}

/** POST /v1/payment_pages/:cs/confirm: see above. */
export async function confirmPaymentPage(call: Call): Promise<Reply> {
  const params = readParams(call.form, confirmFields);
  if ((params.next_action === undefined) !== (params.outcome === undefined)) {
    const param = params.next_action === undefined ? 'next_action' : 'outcome';
    throw missingParam(param);
  }
  const intent = await findIntentOfPage(call);
  if (intent) return answerIntentPage(call, intent, params);
  const session = await findObject<Session>(call.store, 'checkout.session', call.id);
  if (!session) throw missingObject('checkout.session', call.id);
  if (session.status !== 'open') {
    throw refuseState(
      `This Checkout Session can no longer be paid: only a status of open can be confirmed, and it is ${session.status}.`,
      { code: 'checkout_session_not_open' },
    );
  }
  if (params.expected_amount !== session.amount_total) {
    throw refuse(
      `expected_amount (${params.expected_amount}) is not the amount of this Checkout Session (${session.amount_total}).`,
      { param: 'expected_amount' },
    );
  }
  return params.outcome === undefined
    ? await pay(call, session, params)
    : await answer(call, session, params);
}

/** What the page shows, of a session or of an intent of its own; undefined: there is none of this id. */
export async function findPage(call: ReadCall): Promise<PaymentPage | undefined> {
  const intent = await findIntentOfPage(call);
  if (intent) return intentPageOf(call, intent);
  const session = await findObject<Session>(call.store, 'checkout.session', call.id);
  return session && (await pageOf(call, session));
}

async function pageOf(call: ReadCall, session: Session): Promise<PaymentPage> {
  const { line_items } = await readPrivate<HiddenSession>(call.store, session.id);
  return {
    id: session.id,
    object: 'payment_page',
    amount_subtotal: session.amount_subtotal,
    amount_total: session.amount_total,
    cancel_url: session.cancel_url === null ? null : withId(session.cancel_url, session.id),
    currency: session.currency,
    custom_fields: session.custom_fields.map((field) => ({
      ...field,
      [field.type]: { ...field[field.type], value: null },
    })),
    custom_text: session.custom_text,
    customer_email: session.customer_email,
    expires_at: session.expires_at,
    line_items: line_items.map(({ description, quantity, amount_subtotal, amount_total }) => ({
      description,
      quantity,
      unit_amount: amount_subtotal / quantity,
      amount_total,
    })),
    livemode: false,
    mode: 'payment',
    next_action:
      session.status === 'open' ? await nextActionOf(call, session.payment_intent) : null,
    payment_method_types: session.payment_method_types,
    payment_status: session.payment_status,
    phone_number_collection: session.phone_number_collection,
    status: session.status,
    submit_type: session.submit_type,
    success_url: withId(session.success_url, session.id),
  };
}

async function pay(call: Call, session: Session, params: Confirm): Promise<Reply> {
  const filled = filledFields(session, params.custom_fields ?? {});
  if (session.amount_total === 0) {
    const done = await completeSession(
      call,
      { ...session, custom_fields: filled },
      {
        billing: billingOf(session, params),
        payment_intent: null,
        payment_status: 'no_payment_required',
      },
    );
    return ok(await pageOf(call, done));
  }
  if ((params.payment_method === undefined) === (params.payment_method_data === undefined)) {
    throw refuse('Give exactly one of payment_method and payment_method_data.', {
      code: 'parameter_missing',
      param: 'payment_method',
    });
  }
  const hidden = await readPrivate<HiddenSession>(call.store, session.id);
  if (hidden.tries >= MAX_TRIES)
    throw new StripeError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Too many attempts to pay this Checkout Session.',
    });
  const { method, behaviour } = await takePaymentMethod(
    call,
    params.payment_method ?? (await insertPaymentMethod(call, params.payment_method_data!)).id,
  );
  if (!session.payment_method_types.includes(method.type)) {
    throw refuse(
      `This Checkout Session cannot be paid with ${method.type}, only with ${session.payment_method_types.join(', ')}.`,
      { param: 'payment_method' },
    );
  }
  await savePrivate(call.store, session.id, {
    ...hidden,
    tries: hidden.tries + 1,
    filled,
  } satisfies HiddenSession);
  const billing = billingOf(session, params, method.billing_details);
  return finish(call, session, {
    attempt: await attemptPayment(call, await intentOf(call, session, hidden), {
      method,
      behaviour,
      billing,
    }),
    billing,
  });
}

async function answer(call: Call, session: Session, params: Confirm): Promise<Reply> {
  const intent =
    session.payment_intent === null
      ? undefined
      : await findObject<PaymentIntent>(call.store, 'payment_intent', session.payment_intent);
  const step = intent && (await readPrivate<HiddenIntent>(call.store, intent.id)).step;
  if (!intent || !step || step.id !== params.next_action)
    throw refuseState('This is not the question that waits for an answer.', {
      param: 'next_action',
    });
  return finish(call, session, {
    attempt: await answerStep(call, intent, { step, approved: params.outcome === 'approve' }),
    billing: step.billing,
  });
}

async function finish(
  call: Call,
  session: Session,
  outcome: { attempt: Attempt; billing: BillingDetails },
): Promise<Reply> {
  const { attempt, billing } = outcome;
  const payment_intent = attempt.intent.id;
  if (attempt.state === 'refused' || attempt.state === 'step') {
    const kept: Session = { ...session, payment_intent };
    await keepSession(call, kept);
    return attempt.state === 'step'
      ? ok(await pageOf(call, kept))
      : { status: attempt.refusal.status, body: { error: attempt.refusal.body } };
  }
  const { filled } = await readPrivate<HiddenSession>(call.store, session.id);
  const payment_status = attempt.state === 'paid' ? 'paid' : 'unpaid';
  return ok(
    await pageOf(
      call,
      await completeSession(
        call,
        { ...session, custom_fields: filled ?? session.custom_fields },
        { billing, payment_intent, payment_status },
      ),
    ),
  );
}

/** One intent per session, made at the first try. */
async function intentOf(
  call: Call,
  session: Session,
  hidden: HiddenSession,
): Promise<PaymentIntent> {
  if (session.payment_intent !== null)
    return getObject<PaymentIntent>(call.store, 'payment_intent', session.payment_intent);
  const three_d_secure = session.payment_method_options.card?.request_three_d_secure ?? 'automatic';
  return insertPaymentIntent(
    call,
    {
      amount: session.amount_total,
      currency: session.currency,
      types: session.payment_method_types,
    },
    { ...hidden.intent, customer: session.customer ?? undefined },
    { session: session.id, page: session.url!, three_d_secure },
  );
}

function billingOf(
  session: Session,
  typed: Pick<Confirm, 'email' | 'name' | 'phone'>,
  card?: BillingDetails,
): BillingDetails {
  return {
    address: { ...(card?.address ?? emptyAddress()), country: card?.address.country ?? 'IT' },
    email: session.customer_email ?? typed.email ?? card?.email ?? null,
    name: typed.name ?? card?.name ?? null,
    phone: session.phone_number_collection.enabled ? (typed.phone ?? card?.phone ?? null) : null,
    tax_id: null,
  };
}

function filledFields(session: Session, answers: Record<string, string | null>): CustomField[] {
  for (const key of Object.keys(answers)) {
    const param = `custom_fields[${key}]`;
    if (!session.custom_fields.some((field) => field.key === key))
      throw refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  return session.custom_fields.map((field) => {
    const given = answers[field.key];
    if (given === undefined || given === null) return field;
    checkAnswer(field, given);
    return { ...field, [field.type]: { ...field[field.type], value: given } };
  });
}

function checkAnswer(field: CustomField, given: string): void {
  const param = `custom_fields[${field.key}]`;
  const label = field.label.custom;
  if (field.dropdown && !field.dropdown.options.some((option) => option.value === given))
    throw refuse(`${label}: this is none of the options.`, { param });
  if (field.numeric && !/^\d+$/.test(given))
    throw refuse(`${label}: only digits are allowed.`, { param });
  const limits = field.text ?? field.numeric;
  if (given.length > (limits?.maximum_length ?? 255))
    throw refuse(`${label}: at most ${limits?.maximum_length ?? 255} characters are allowed.`, {
      param,
    });
  if (given.length < (limits?.minimum_length ?? 0))
    throw refuse(`${label}: at least ${limits?.minimum_length ?? 0} characters are needed.`, {
      param,
    });
}

function withId(address: string, id: string): string {
  return address.replaceAll('{CHECKOUT_SESSION_ID}', id);
}
