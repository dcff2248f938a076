/** Charges: one attempt to take money from a card or an account, and its outcome. */
import { randomInt } from 'node:crypto';
import { insertBalanceTransaction, processingFee } from '#server/standins/stripe/money/balance.ts';
import {
  seconds,
  type Call,
  type Desk,
  type Reply,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import type { Behaviour, Decline } from './cards.ts';
import { chargeDetailsOf, outcomeOf, type PaidHow } from './charge-details.ts';
import { changesOf, emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import { createdRange, listObjects, paging } from '#server/standins/stripe/lists.ts';
import {
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import type { BillingDetails } from './payment-methods.ts';
import { shipping, wholeShipping, type Shipping } from './shipping.ts';
import { receiptAddress } from './receipt-address.ts';
import {
  clearable,
  email,
  listOf,
  metadata,
  patched,
  readParams,
  text,
  unbuilt,
} from '#server/standins/stripe/transport/rules.ts';

export interface Charge extends StoredObject {
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application: null;
  application_fee: null;
  application_fee_amount: null;
  balance_transaction: string | null;
  billing_details: BillingDetails;
  calculated_statement_descriptor: string;
  captured: boolean;
  currency: string;
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_balance_transaction: null;
  failure_code: string | null;
  failure_message: string | null;
  fraud_details: object;
  livemode: false;
  metadata: Record<string, string>;
  on_behalf_of: null;
  outcome: object;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: object;
  radar_options: object;
  receipt_email: string | null;
  receipt_number: string | null;
  receipt_url: string | null;
  refunded: boolean;
  review: null;
  shipping: Shipping | null;
  source: null;
  source_transfer: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: 'succeeded' | 'pending' | 'failed';
  transfer_data: null;
  transfer_group: string | null;
}

interface ChargeFacts {
  amount: number;
  currency: string;
  customer: string | null;
  payment_intent: string;
  description: string | null;
  metadata: Record<string, string>;
  receipt_email: string | null;
  shipping: Shipping | null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  transfer_group: string | null;
}

/** What a charge remembers for later and never tells; files from before this was kept have nothing. */
interface HiddenCharge {
  behaviour?: Behaviour;
}

/** Seconds between a charge and its fees and receipt number. */
const SETTLED_AFTER = 1;

/** Stores the try; its outcome is the instrument's. The events are the caller's, who knows their order. */
export async function insertCharge(call: Call, facts: ChargeFacts, how: PaidHow): Promise<Charge> {
  const { behaviour, method } = how;
  const pending = behaviour.delay !== undefined;
  const undeclined = pending ? 'pending' : 'succeeded';
  const decline = pending ? undefined : behaviour.decline;
  const captured = !decline && how.captureBefore === null;
  const id = newId(method.type === 'card' ? 'ch' : 'py');
  const charge: Charge = {
    ...facts,
    id,
    object: 'charge',
    amount_captured: captured ? facts.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: how.billing,
    calculated_statement_descriptor: facts.statement_descriptor ?? 'PROVA',
    captured,
    created: seconds(call),
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    outcome: outcomeOf(how, decline),
    paid: !decline && !pending,
    payment_method: method.id,
    payment_method_details: chargeDetailsOf(how, facts.amount, decline),
    radar_options: {},
    receipt_number: null,
    receipt_url: decline ? null : receiptAddress(call, id),
    refunded: false,
    review: null,
    source: null,
    source_transfer: null,
    status: decline ? 'failed' : undeclined,
    transfer_data: null,
  };
  await insertObject(call.store, charge, { behaviour } satisfies HiddenCharge);
  if (charge.paid && charge.captured) await scheduleSettling(call, charge);
  return charge;
}

/** How the instrument that paid goes on: disputed, slow to refund, … */
export async function behaviourOf(desk: ReadDesk, charge: string): Promise<Behaviour> {
  return (await readPrivate<HiddenCharge>(desk.store, charge)).behaviour ?? {};
}

/** The money of a pending charge arrived, or did not. */
export async function decideCharge(
  desk: Desk,
  before: Charge,
  decline: Decline | undefined,
): Promise<Charge> {
  const after: Charge = decline
    ? {
        ...before,
        status: 'failed',
        paid: false,
        captured: false,
        amount_captured: 0,
        failure_code: decline.code,
        failure_message: decline.message,
        receipt_url: null,
      }
    : { ...before, status: 'succeeded', paid: true };
  await saveObject(desk.store, after);
  await emit(desk, null, { type: decline ? 'charge.failed' : 'charge.succeeded', object: after });
  if (!decline) await scheduleSettling(desk, after);
  return after;
}

/** Takes money that was set aside, or the part of it that is wanted; the rest is given back. */
export async function captureCharge(call: Call, before: Charge, amount: number): Promise<Charge> {
  const after: Charge = {
    ...before,
    captured: true,
    amount_captured: amount,
    amount_refunded: before.amount - amount,
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'charge.captured',
    object: after,
    previous: changesOf(before, after),
  });
  await scheduleSettling(call, after);
  return after;
}

/** Gives up money that was set aside. */
export async function releaseCharge(desk: Desk, cause: Cause, before: Charge): Promise<void> {
  const after: Charge = { ...before, amount_refunded: before.amount, refunded: true };
  await saveObject(desk.store, after);
  await emit(desk, cause, {
    type: 'charge.refunded',
    object: after,
    previous: changesOf(before, after),
  });
}

/** GET /v1/charges/:id */
export async function retrieveCharge(call: ReadCall): Promise<Reply> {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20) });
  return replyWith(call, await getObject<Charge>(call.store, 'charge', call.id), expand);
}

/** GET /v1/charges?payment_intent&transfer_group&created */
export async function listCharges(call: ReadCall): Promise<Reply> {
  const { expand, created, customer, payment_intent, transfer_group, ...page } = readParams(
    call.form,
    {
      ...paging,
      expand: listOf(text(), 20),
      created: createdRange(),
      customer: text(),
      payment_intent: text(),
      transfer_group: text(),
    },
  );
  const where = [
    { path: 'customer', is: customer },
    { path: 'payment_intent', is: payment_intent },
    { path: 'transfer_group', is: transfer_group },
  ];
  return replyWith(
    call,
    await listObjects<Charge>(call.store, 'charge', { url: '/v1/charges', page, created, where }),
    expand,
  );
}

/** POST /v1/charges/:id {description?, metadata?, receipt_email?}; an address that arrives late brings the receipt number after it. */
export async function updateCharge(call: Call): Promise<Reply> {
  const before = await getObject<Charge>(call.store, 'charge', call.id);
  const params = readParams(call.form, {
    customer: unbuilt(),
    description: clearable(text()),
    expand: listOf(text(), 20),
    fraud_details: unbuilt(),
    metadata: metadata(),
    receipt_email: clearable(email()),
    shipping,
    transfer_group: unbuilt(),
  });
  const after: Charge = {
    ...before,
    description: params.description === undefined ? before.description : params.description,
    metadata: patched(before.metadata, params.metadata),
    receipt_email: params.receipt_email === undefined ? before.receipt_email : params.receipt_email,
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

/**
 * The later half of a charge, as asynchronous capture brings it: the balance transaction, and the receipt number once an
 * e-mail address is known; announced by charge.updated.
 */
export async function settleCharge(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Charge>(desk.store, 'charge', id);
  if (!before?.captured || before.status !== 'succeeded') return;
  const isCard = id.startsWith('ch_');
  const transaction =
    before.balance_transaction ??
    (
      await insertBalanceTransaction(desk, {
        type: isCard ? 'charge' : 'payment',
        reporting_category: 'charge',
        source: id,
        amount: before.amount_captured,
        currency: before.currency,
        description: before.description,
        fee: processingFee(before.amount_captured),
        available: (await behaviourOf(desk, id)).available === true,
      })
    ).id;
  const mailed = (before.receipt_email ?? before.billing_details.email) !== null;
  const after: Charge = {
    ...before,
    balance_transaction: transaction,
    receipt_number: before.receipt_number ?? (mailed ? newReceiptNumber() : null),
  };
  const previous = changesOf(before, after);
  if (Object.keys(previous).length === 0) return;
  await saveObject(desk.store, after);
  await emit(desk, null, { type: 'charge.updated', object: after, previous });
}

/** `NNNN-NNNN`; a refund gets one too. */
export function newReceiptNumber(): string {
  const digits = String(randomInt(1_0000_0000)).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

async function scheduleSettling(desk: Desk, charge: Charge): Promise<void> {
  await schedule(desk.store, seconds(desk) + SETTLED_AFTER, {
    task: 'settle_charge',
    subject: charge.id,
  });
}
