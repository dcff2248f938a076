/** The calls about charges; one that is made without a payment intent takes a token, as shops did before there were intents. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { checkAmount } from '#server/standins/stripe/money/amounts.ts';
import { seconds, type Call, type ReadCall, type Reply } from '#server/standins/stripe/call.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import { getObject, saveObject } from '#server/standins/stripe/statements/objects.ts';
import {
  missingObject,
  missingParam,
  refuse,
  refuseState,
} from '#server/standins/stripe/transport/errors.ts';
import {
  clearable,
  currency,
  email,
  flag,
  integer,
  metadata,
  need,
  patched,
  readParams,
  text,
  unbuilt,
} from '#server/standins/stripe/transport/rules.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import { findTestToken, type Behaviour } from './cards.ts';
import {
  captureCharge,
  insertCharge,
  refusalOf,
  releaseCharge,
  scheduleSettling,
  type Charge,
} from './charges.ts';
import { cancelIntent, HELD_FOR } from './payment-intents.ts';
import { spendPaymentMethod, takePaymentMethod, type PaymentMethod } from './payment-methods.ts';
import { shipping, wholeShipping } from './shipping.ts';

const amount = integer({ min: 1 });

const createFields = {
  amount: need(amount),
  currency: need(currency()),
  application_fee: unbuilt(),
  application_fee_amount: unbuilt(),
  capture: flag(),
  customer: unbuilt(),
  description: text(),
  destination: unbuilt(),
  expand,
  metadata: metadata(),
  on_behalf_of: unbuilt(),
  radar_options: unbuilt(),
  receipt_email: email(),
  shipping,
  source: text({ max: 100 }),
  statement_descriptor: text({ max: 22 }),
  statement_descriptor_suffix: text({ max: 22 }),
  transfer_data: unbuilt(),
  transfer_group: text(),
};

/** POST /v1/charges {amount, currency, source: `tok_…`, capture?, description?, metadata?, …}: 402 card_error on a refused card. */
export async function createCharge(call: Call): Promise<Reply> {
  const params = readParams(call.form, createFields);
  checkAmount(params.amount, params.currency);
  if (params.source === undefined) throw missingParam('source');
  const card = findTestToken(params.source);
  if (!card) throw missingObject('token', params.source, { param: 'source', status: 400 });
  const { method, behaviour } = await takePaymentMethod(call, card.ids[0]!);
  const how = withoutBuyer(behaviour);
  const charge = await insertCharge(
    call,
    {
      amount: params.amount,
      currency: params.currency,
      customer: null,
      description: params.description ?? null,
      metadata: patched({}, params.metadata),
      payment_intent: null,
      receipt_email: params.receipt_email ?? null,
      shipping: params.shipping ? wholeShipping(params.shipping) : null,
      source: sourceOf(method),
      statement_descriptor: params.statement_descriptor ?? null,
      statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
      transfer_group: params.transfer_group ?? null,
    },
    {
      method,
      behaviour: how,
      billing: method.billing_details,
      authenticated: false,
      captureBefore: params.capture === false ? seconds(call) + HELD_FOR : null,
    },
  );
  await spendPaymentMethod(call, method.id);
  if (how.decline) {
    await emit(call, call, { type: 'charge.failed', object: charge });
    const { status, body } = refusalOf(charge, how.decline);
    return { status, body: { error: body } };
  }
  await emit(call, call, { type: 'charge.succeeded', object: charge });
  if (how.dispute)
    await schedule(call.store, seconds(call), { task: 'open_dispute', subject: charge.id });
  return replyWith(call, charge, params.expand);
}

/** A charge cannot wait for its buyer: the bank that would ask refuses. */
function withoutBuyer(behaviour: Behaviour): Behaviour {
  if (behaviour.challenge !== 'always') return behaviour;
  const code = 'authentication_required';
  const message = 'Your card was declined. This transaction requires authentication.';
  return { decline: { code, decline_code: code, message } };
}

function sourceOf({ card, id }: PaymentMethod): object {
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card!;
  return {
    id: id.replace('pm_', 'card_'),
    object: 'card',
    address_city: null,
    address_country: null,
    address_line1: null,
    address_line1_check: null,
    address_line2: null,
    address_state: null,
    address_zip: null,
    address_zip_check: null,
    brand: `${brand[0]!.toUpperCase()}${brand.slice(1)}`,
    country,
    customer: null,
    cvc_check: checks.cvc_check,
    dynamic_last4: null,
    exp_month,
    exp_year,
    fingerprint,
    funding,
    last4,
    metadata: {},
    name: null,
    regulated_status: 'unregulated',
    tokenization_method: null,
  };
}

/** POST /v1/charges/:id/capture {amount?, receipt_email?}: of a charge without an intent. */
export async function captureOwnCharge(call: Call): Promise<Reply> {
  const charge = await heldCharge(call);
  const params = readParams(call.form, {
    amount,
    application_fee: unbuilt(),
    application_fee_amount: unbuilt(),
    expand,
    receipt_email: email(),
    statement_descriptor: text({ max: 22 }),
    statement_descriptor_suffix: text({ max: 22 }),
    transfer_data: unbuilt(),
    transfer_group: unbuilt(),
  });
  if (charge.payment_intent !== null)
    throw refuseState(
      `Charge ${charge.id} belongs to the PaymentIntent ${charge.payment_intent}: capture that instead.`,
    );
  const wanted = params.amount ?? charge.amount;
  if (wanted > charge.amount)
    throw refuse(`Amount (${wanted}) is greater than that of the charge (${charge.amount}).`, {
      code: 'amount_too_large',
      param: 'amount',
    });
  const { receipt_email = charge.receipt_email } = params;
  const after = await captureCharge(call, { ...charge, receipt_email }, wanted);
  return replyWith(call, after, params.expand);
}

/** POST /v1/test_helpers/charges/:id/expire: money that was set aside goes back, as it does by itself after seven days. */
export async function expireCharge(call: Call): Promise<Reply> {
  const charge = await heldCharge(call);
  const { expand: paths } = readParams(call.form, { expand });
  if (charge.payment_intent === null) {
    const after = await releaseCharge(call, call, { charge, type: 'charge.expired' });
    return replyWith(call, after, paths);
  }
  await cancelIntent(call, call, { id: charge.payment_intent, reason: 'automatic' });
  return replyWith(call, await getObject<Charge>(call.store, 'charge', charge.id), paths);
}

/** Of the address; its money is set aside, and neither taken nor given back yet. */
async function heldCharge(call: ReadCall): Promise<Charge> {
  const charge = await getObject<Charge>(call.store, 'charge', call.id);
  if (charge.captured)
    throw refuseState(`Charge ${charge.id} has already been captured.`, {
      code: 'charge_already_captured',
    });
  if (charge.refunded)
    throw refuseState(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  if (!charge.paid) throw refuseState(`Charge ${charge.id} has set no money aside.`);
  return charge;
}

/** GET /v1/charges/:id */
export function retrieveCharge(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'charge');
}

/** GET /v1/charges?payment_intent&transfer_group&created */
export function listCharges(call: ReadCall): Promise<Reply> {
  return answerList(call, 'charge', {
    url: '/v1/charges',
    filters: {
      created: createdRange(),
      customer: text(),
      payment_intent: text(),
      transfer_group: text(),
    },
  });
}

/** POST /v1/charges/:id {description?, metadata?, receipt_email?}; an address that arrives late brings the receipt number after it. */
export async function updateCharge(call: Call): Promise<Reply> {
  const before = await getObject<Charge>(call.store, 'charge', call.id);
  const params = readParams(call.form, {
    customer: unbuilt(),
    description: clearable(text()),
    expand,
    fraud_details: unbuilt(),
    metadata: metadata(),
    receipt_email: clearable(email()),
    shipping,
    transfer_group: unbuilt(),
  });
  const { description, receipt_email } = { ...before, ...params };
  const after: Charge = {
    ...before,
    description,
    metadata: patched(before.metadata, params.metadata),
    receipt_email,
    shipping: params.shipping ? wholeShipping(params.shipping) : before.shipping,
  };
  await saveObject(call.store, after);
  if (after.receipt_email !== before.receipt_email && after.paid)
    await scheduleSettling(call, after);
  await emit(call, call, {
    type: 'charge.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return replyWith(call, after, params.expand);
}
