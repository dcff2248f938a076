/** Charges: one try to take money from one card, and what is known of it afterwards. */
import { randomInt } from 'node:crypto';
import { insertBalanceTransaction } from './balance.ts';
import { seconds, type Call, type Desk, type Reply } from './call.ts';
import type { TestCard } from './cards.ts';
import { changesOf, emit } from './events.ts';
import { replyWith } from './expand.ts';
import { newId } from './ids.ts';
import { allObjects, createdRange, getObject, insertObject, listObjects, paging, saveObject, type StoredObject } from './objects.ts';
import type { BillingDetails, PaymentMethod } from './payment-methods.ts';
import { clearable, email, listOf, metadata, patched, readParams, text, unbuilt } from './rules.ts';

export interface Charge extends StoredObject {
  object: 'charge';
  amount: number; amount_captured: number; amount_refunded: number;
  application: null; application_fee: null; application_fee_amount: null;
  balance_transaction: string | null;
  billing_details: BillingDetails;
  calculated_statement_descriptor: string;
  captured: boolean;
  currency: string;
  customer: null;
  description: string | null;
  disputed: boolean;
  failure_balance_transaction: null; failure_code: string | null; failure_message: string | null;
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
  receipt_email: string | null; receipt_number: string | null; receipt_url: string | null;
  refunded: boolean;
  review: null; shipping: null; source: null; source_transfer: null;
  statement_descriptor: string | null; statement_descriptor_suffix: string | null;
  status: 'succeeded' | 'failed';
  transfer_data: null; transfer_group: string | null;
}

export interface ChargeFacts {
  amount: number;
  currency: string;
  billing: BillingDetails;
  card: TestCard;
  method: PaymentMethod;
  payment_intent: string;
  receipt_url: string;
  description: string | null;
  metadata: Record<string, string>;
  receipt_email: string | null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  transfer_group: string | null;
}

/** Stores the try; its outcome is the card's. The events are the caller's, who knows their order. */
export function insertCharge(call: Call, facts: ChargeFacts): Charge {
  const { amount, card, method, billing, ...rest } = facts;
  const { decline } = card;
  const paid = !decline;
  const charge: Charge = {
    ...rest,
    id: newId('ch'),
    object: 'charge',
    amount, amount_captured: paid ? amount : 0, amount_refunded: 0,
    application: null, application_fee: null, application_fee_amount: null,
    balance_transaction: null,
    billing_details: billing,
    calculated_statement_descriptor: rest.statement_descriptor ?? 'PROVA',
    captured: paid,
    created: seconds(call),
    customer: null,
    disputed: false,
    failure_balance_transaction: null, failure_code: decline?.code ?? null, failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    outcome: {
      advice_code: decline ? 'try_again_later' : null, network_advice_code: null, network_decline_code: decline ? '01' : null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network', reason: decline?.decline_code ?? null,
      risk_level: 'normal', risk_score: 20, seller_message: decline ? 'The bank did not approve the payment.' : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: cardDetailsOf(method, { card, amount, cvcFailed: decline?.code === 'incorrect_cvc' }) },
    radar_options: {},
    receipt_number: null,
    receipt_url: paid ? rest.receipt_url : null,
    refunded: false,
    review: null, shipping: null, source: null, source_transfer: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
  };
  insertObject(call.store, charge);
  return charge;
}

/** GET /v1/charges/:id */
export function retrieveCharge(call: Call): Reply {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20) });
  return replyWith(call, getObject<Charge>(call.store, 'charge', call.id), expand);
}

/** GET /v1/charges?payment_intent&transfer_group&created */
export function listCharges(call: Call): Reply {
  const { expand, created, customer, payment_intent, transfer_group, ...page } = readParams(call.form, {
    ...paging, expand: listOf(text(), 20), created: createdRange(), customer: text(), payment_intent: text(), transfer_group: text(),
  });
  const where = [{ path: 'customer', is: customer }, { path: 'payment_intent', is: payment_intent }, { path: 'transfer_group', is: transfer_group }];
  return replyWith(call, listObjects<Charge>(call.store, 'charge', { url: '/v1/charges', page, created, where }), expand);
}

/** POST /v1/charges/:id {description?, metadata?, receipt_email?} */
export function updateCharge(call: Call): Reply {
  const before = getObject<Charge>(call.store, 'charge', call.id);
  const params = readParams(call.form, {
    customer: unbuilt(), description: clearable(text()), expand: listOf(text(), 20), fraud_details: unbuilt(), metadata: metadata(),
    receipt_email: clearable(email()), shipping: unbuilt(), transfer_group: unbuilt(),
  });
  const after: Charge = {
    ...before,
    description: params.description === undefined ? before.description : params.description,
    metadata: patched(before.metadata, params.metadata),
    receipt_email: params.receipt_email === undefined ? before.receipt_email : params.receipt_email,
  };
  saveObject(call.store, after);
  emit(call, call, { type: 'charge.updated', object: after, previous: changesOf(before, after) });
  return replyWith(call, after, params.expand);
}

/**
 * The later half of a charge, as asynchronous capture brings it: the balance transaction, and the receipt number once an
 * e-mail address is known; announced by charge.updated. `until`: only charges made up to then, in unix seconds.
 */
export function settleCharges(desk: Desk, until: number): void {
  const open = allObjects<Charge>(desk.store, 'charge', [
    { path: 'status', is: 'succeeded' }, { path: 'balance_transaction', isNull: true }, { path: 'created', atMost: until },
  ]);
  for (const before of open) desk.store.transaction(() => settle(desk, before)).immediate();
}

function settle(desk: Desk, before: Charge): void {
  const transaction = insertBalanceTransaction(desk, {
    type: 'charge', source: before.id, amount: before.amount, currency: before.currency, description: before.description,
  });
  const mailed = (before.receipt_email ?? before.billing_details.email) !== null;
  const after: Charge = { ...before, balance_transaction: transaction.id, receipt_number: mailed ? newReceiptNumber() : null };
  saveObject(desk.store, after);
  emit(desk, null, { type: 'charge.updated', object: after, previous: changesOf(before, after) });
}

function newReceiptNumber(): string {
  const digits = String(randomInt(1_0000_0000)).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

function cardDetailsOf(method: PaymentMethod, facts: { card: TestCard; amount: number; cvcFailed: boolean }): object {
  const { card, amount, cvcFailed } = facts;
  return {
    amount_authorized: card.decline ? null : amount, authorization_code: null, brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: cvcFailed ? 'fail' : method.card.checks.cvc_check },
    country: card.country, electronic_commerce_indicator: null, exp_month: method.card.exp_month, exp_year: method.card.exp_year,
    extended_authorization: { status: 'disabled' }, fingerprint: method.card.fingerprint, funding: card.funding,
    incremental_authorization: { status: 'unavailable' }, installments: null, last4: method.card.last4, mandate: null,
    multicapture: { status: 'unavailable' }, network: card.brand, network_token: { used: false }, network_transaction_id: null,
    overcapture: { maximum_amount_capturable: amount, status: 'unavailable' }, regulated_status: 'unregulated', three_d_secure: null,
    transaction_link_id: null, wallet: null,
  };
}
