/** The two calls behind the hosted page: what is to be paid, and paying it; whoever makes them pays exactly as the page does. */
import { ok, type Call, type Reply } from './call.ts';
import { chargeIntent, declineOf, insertPaymentIntent, type IntentFacts, type PaymentIntent } from './payment-intents.ts';
import { missingObject, refuse, StripeError } from './errors.ts';
import { emit } from './events.ts';
import { findObject, getObject, readPrivate, saveObject, savePrivate } from './objects.ts';
import { emptyAddress, insertPaymentMethod, paymentMethodFields, takePaymentMethod, type BillingDetails } from './payment-methods.ts';
import { clearable, email, group, integer, need, readParams, text, type Rule } from './rules.ts';
import type { CustomField, CustomerDetails, HiddenSession, Session } from './session-build.ts';

/** A card may be tried so often on one session; real buyers stop much earlier. */
const MAX_TRIES = 30;

/** What the page shows; nothing of the buyer but the address that the shop itself put in. */
export interface PaymentPage {
  id: string;
  object: 'payment_page';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  currency: string;
  custom_fields: CustomField[];
  custom_text: Session['custom_text'];
  customer_email: string | null;
  expires_at: number;
  line_items: { description: string; quantity: number; unit_amount: number; amount_total: number }[];
  livemode: false;
  mode: 'payment';
  payment_method_types: string[];
  payment_status: Session['payment_status'];
  phone_number_collection: { enabled: boolean };
  status: Session['status'];
  submit_type: string | null;
  /** With the session's id filled in. */
  success_url: string;
}

/** GET /v1/payment_pages/:cs */
export function retrievePaymentPage(call: Call): Reply {
  readParams(call.form, {});
  return ok(pageOf(call, sessionOf(call)));
}

/**
 * POST /v1/payment_pages/:cs/confirm {payment_method | payment_method_data, expected_amount, email?, name?, phone?, custom_fields[key]?}
 * → the page as it is now. 400 when the session is not open or the sum is another; 402 card_error when the card is refused: the session stays open.
 */
export function confirmPaymentPage(call: Call): Reply {
  const params = readParams(call.form, {
    expected_amount: need(integer()), payment_method: text(), payment_method_data: group(paymentMethodFields),
    email: clearable(email()), name: clearable(text({ max: 500 })), phone: clearable(text({ max: 100 })), custom_fields: anyFields(),
  });
  const session = sessionOf(call);
  if (session.status !== 'open') {
    throw refuse(`This Checkout Session can no longer be paid: only a status of open can be confirmed, and it is ${session.status}.`, { code: 'checkout_session_not_open' });
  }
  if (params.expected_amount !== session.amount_total) {
    throw refuse(`expected_amount (${params.expected_amount}) is not the amount of this Checkout Session (${session.amount_total}).`, { param: 'expected_amount' });
  }
  const customFields = filledFields(session, params.custom_fields ?? {});
  if (session.amount_total === 0) {
    return ok(complete(call, { ...session, custom_fields: customFields }, { billing: billingOf(session, params), payment_intent: null }));
  }
  if ((params.payment_method === undefined) === (params.payment_method_data === undefined)) {
    throw refuse('Give exactly one of payment_method and payment_method_data.', { code: 'parameter_missing', param: 'payment_method' });
  }
  const hidden = readPrivate<HiddenSession>(call.store, session.id);
  if (hidden.tries >= MAX_TRIES) throw new StripeError(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Troppi tentativi con questa pagina di pagamento.' });
  const { method, card } = takePaymentMethod(call, params.payment_method ?? insertPaymentMethod(call, params.payment_method_data!).id);
  savePrivate(call.store, session.id, { ...hidden, tries: hidden.tries + 1 } satisfies HiddenSession);
  const billing = billingOf(session, params, method.billing_details);
  const intent = intentOf(call, session, hidden.intent);
  const { charge } = chargeIntent(call, intent, { card, method, billing, receipt_url: `${call.publicUrl}/c/pay/${session.id}` });
  if (!charge.paid) {
    saveObject(call.store, { ...session, payment_intent: intent.id } as Session);
    const refusal = declineOf(charge, card);
    return { status: refusal.status, body: { error: refusal.body } };
  }
  return ok(complete(call, { ...session, custom_fields: customFields }, { billing, payment_intent: intent.id }));
}

export function pageOf(call: Call, session: Session): PaymentPage {
  const { line_items } = readPrivate<HiddenSession>(call.store, session.id);
  return {
    id: session.id,
    object: 'payment_page',
    amount_subtotal: session.amount_subtotal,
    amount_total: session.amount_total,
    cancel_url: session.cancel_url === null ? null : withId(session.cancel_url, session.id),
    currency: session.currency,
    custom_fields: session.custom_fields.map((field) => ({ ...field, [field.type]: { ...field[field.type], value: null } })),
    custom_text: session.custom_text,
    customer_email: session.customer_email,
    expires_at: session.expires_at,
    line_items: line_items.map(({ description, quantity, price, amount_total }) => ({ description, quantity, unit_amount: price.unit_amount, amount_total })),
    livemode: false,
    mode: 'payment',
    payment_method_types: session.payment_method_types,
    payment_status: session.payment_status,
    phone_number_collection: session.phone_number_collection,
    status: session.status,
    submit_type: session.submit_type,
    success_url: withId(session.success_url, session.id),
  };
}

/** The session of the page, or undefined: for the HTML answer, which has its own words for that. */
export function findSession(call: Call): Session | undefined {
  return findObject<Session>(call.store, 'checkout.session', call.id);
}

function sessionOf(call: Call): Session {
  const session = findSession(call);
  if (!session) throw missingObject('checkout.session', call.id);
  return session;
}

function complete(call: Call, session: Session, facts: { billing: BillingDetails; payment_intent: string | null }): PaymentPage {
  const { billing, payment_intent } = facts;
  const details: CustomerDetails = {
    address: billing.address, business_name: null, email: billing.email, individual_name: null, name: billing.name, phone: billing.phone, tax_exempt: 'none', tax_ids: [],
  };
  const after: Session = {
    ...session, customer_details: details, payment_intent, payment_status: payment_intent === null ? 'no_payment_required' : 'paid', status: 'complete', url: null,
  };
  saveObject(call.store, after);
  emit(call, call, { type: 'checkout.session.completed', object: after });
  return pageOf(call, after);
}

/** One intent per session, made at the first try. */
function intentOf(call: Call, session: Session, facts: IntentFacts): PaymentIntent {
  if (session.payment_intent !== null) return getObject<PaymentIntent>(call.store, 'payment_intent', session.payment_intent);
  const { request_three_d_secure } = session.payment_method_options.card;
  return insertPaymentIntent(call, { amount: session.amount_total, currency: session.currency, request_three_d_secure }, facts);
}

function billingOf(session: Session, typed: { email?: string | null; name?: string | null; phone?: string | null }, card?: BillingDetails): BillingDetails {
  return {
    address: { ...card?.address ?? emptyAddress(), country: card?.address.country ?? 'IT' },
    email: session.customer_email ?? typed.email ?? card?.email ?? null,
    name: typed.name ?? card?.name ?? null,
    phone: session.phone_number_collection.enabled ? typed.phone ?? card?.phone ?? null : null,
    tax_id: null,
  };
}

function filledFields(session: Session, answers: Record<string, string>): CustomField[] {
  for (const key of Object.keys(answers)) {
    const param = `custom_fields[${key}]`;
    if (!session.custom_fields.some((field) => field.key === key)) throw refuse(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  return session.custom_fields.map((field) => {
    const given = answers[field.key];
    if (given === undefined || given === '') return field;
    checkAnswer(field, given);
    return { ...field, [field.type]: { ...field[field.type], value: given } };
  });
}

function checkAnswer(field: CustomField, given: string): void {
  const param = `custom_fields[${field.key}]`;
  const label = field.label.custom;
  if (field.dropdown && !field.dropdown.options.some((option) => option.value === given)) throw refuse(`${label}: scegli una delle voci.`, { param });
  if (field.numeric && !/^\d+$/.test(given)) throw refuse(`${label}: servono solo cifre.`, { param });
  const limits = field.text ?? field.numeric;
  if (given.length > (limits?.maximum_length ?? 255)) throw refuse(`${label}: al massimo ${limits?.maximum_length ?? 255} caratteri.`, { param });
  if (given.length < (limits?.minimum_length ?? 0)) throw refuse(`${label}: almeno ${limits?.minimum_length ?? 0} caratteri.`, { param });
}

function anyFields(): Rule<Record<string, string>> {
  const answer = clearable(text({ max: 255 }));
  return {
    read(value, param) {
      if (typeof value === 'string') throw refuse(`Invalid object: ${param} must be a group of fields.`, { param });
      return Object.fromEntries([...value].map(([key, inner]) => [key, answer.read(inner, `${param}[${key}]`) ?? '']));
    },
  };
}

function withId(address: string, id: string): string {
  return address.replaceAll('{CHECKOUT_SESSION_ID}', id);
}
