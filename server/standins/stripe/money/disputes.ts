/**
 * Disputes (chargebacks): the bank takes the money back immediately, and the shop's evidence
 * decides who gets it.
 */
import {
  insertBalanceTransaction,
  type BalanceTransaction,
} from '#server/standins/stripe/balance/movements.ts';
import { seconds, type Call, type Desk, type ReadCall } from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import type { Behaviour } from '#server/standins/stripe/payment/cards.ts';
import { behaviourOf, type Charge } from '#server/standins/stripe/payment/charges.ts';
import { answerList } from '#server/standins/stripe/read-calls.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import {
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuseState } from '#server/standins/stripe/transport/errors.ts';
import { group, need, readParams, text } from '#server/standins/stripe/transport/rules.ts';
import { changesOf, emit, type Cause } from '#server/standins/stripe/webhook/events.ts';

interface Dispute extends StoredObject {
  object: 'dispute';
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  currency: string;
  enhanced_eligibility_types: [];
  evidence: Record<string, unknown>;
  evidence_details: {
    due_by: number | null;
    enhanced_eligibility: object;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
    submission_method: 'manual' | 'not_submitted';
  };
  intended_submission_method: null;
  is_charge_refundable: boolean;
  livemode: false;
  metadata: object;
  payment_intent: string;
  payment_method_details?: object;
  reason: 'fraudulent' | 'product_not_received' | 'general';
  status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed';
}

/** A realistic example fee; Stripe keeps it whatever the outcome. */
const FEE = 2000;
const ANSWER_WITHIN = 9 * 24 * 3600;

/** The kinds of evidence; here they are only text. */
const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
  'uncategorized_text',
];

/** Called by the clock a moment after a payment with a card that disputes its payments. */
export async function openDispute(desk: Desk, chargeId: string): Promise<void> {
  const kind = (await behaviourOf(desk, chargeId)).dispute;
  const charge = await findObject<Charge>(desk.store, 'charge', chargeId);
  const left = charge ? charge.amount_captured - charge.amount_refunded : 0;
  if (!charge || !kind || charge.disputed || left <= 0) return;
  const due_by = seconds(desk) + ANSWER_WITHIN;
  const dispute = disputeOf(desk, charge, { kind, left, due_by });
  await insertObject(desk.store, dispute);
  const disputed: Charge = { ...charge, disputed: true };
  await saveObject(desk.store, disputed);
  await emit(desk, null, { type: 'charge.dispute.created', object: dispute });
  await schedule(desk.store, due_by, { task: 'overdue_dispute', subject: dispute.id });
  if (kind !== 'inquiry') await withdraw(desk, dispute);
}

function disputeOf(
  desk: Desk,
  charge: Charge,
  { kind, left, due_by }: { kind: NonNullable<Behaviour['dispute']>; left: number; due_by: number },
): Dispute {
  const inquiry = kind === 'inquiry';
  const { type, card } = charge.payment_method_details;
  return {
    id: newId(type === 'card' ? 'du' : 'pdu'),
    object: 'dispute',
    amount: left,
    balance_transactions: [],
    charge: charge.id,
    created: seconds(desk),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...Object.fromEntries(EVIDENCE.map((name) => [name, null])),
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    ...(card
      ? {
          payment_method_details: {
            type: 'card',
            card: {
              brand: card.brand,
              case_type: inquiry ? 'inquiry' : 'chargeback',
              network: card.brand,
              network_reason_code: kind === 'product_not_received' ? '13.1' : '10.4',
            },
          },
        }
      : {}),
    reason: inquiry ? 'general' : kind,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
}

/** GET /v1/disputes?payment_intent&created */
export function listDisputes(call: ReadCall): Promise<Reply> {
  return answerList(call, 'dispute', { url: '/v1/disputes', filters: { payment_intent: text() } });
}

/**
 * POST /v1/disputes/:id {evidence{uncategorized_text}}: submits the evidence. As in Stripe's test
 * mode, `winning_evidence` wins and `losing_evidence` loses a moment later.
 */
export async function updateDispute(call: Call): Promise<Reply> {
  const before = await getObject<Dispute>(call.store, 'dispute', call.id);
  const { evidence } = readParams(call.form, {
    evidence: need(group({ uncategorized_text: need(text({ max: 20_000 })) })),
  });
  if (!isOpen(before))
    throw refuseState(`This dispute is ${before.status}: evidence can no longer be given.`, {
      param: 'evidence',
    });
  const after: Dispute = {
    ...before,
    evidence: { ...before.evidence, ...evidence },
    evidence_details: {
      ...before.evidence_details,
      has_evidence: true,
      submission_count: before.evidence_details.submission_count + 1,
      submission_method: 'manual',
    },
    status: before.status.startsWith('warning') ? 'warning_under_review' : 'under_review',
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'charge.dispute.updated',
    object: after,
    previous: changesOf(before, after),
  });
  if (/^(winning|losing)_evidence$/.test(evidence.uncategorized_text))
    await schedule(call.store, seconds(call) + 1, { task: 'decide_dispute', subject: after.id });
  return ok(after);
}

/** POST /v1/disputes/:id/close: gives up; the dispute is lost for good. */
export async function closeDispute(call: Call): Promise<Reply> {
  readParams(call.form, {});
  const before = await getObject<Dispute>(call.store, 'dispute', call.id);
  if (!isOpen(before))
    throw refuseState(`This dispute is already closed: its status is ${before.status}.`);
  return ok(await end(call, call, { before, won: false }));
}

/** Called by the clock: the bank decides by the evidence. */
export async function decideDispute(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Dispute>(desk.store, 'dispute', id);
  if (!before || !isOpen(before)) return;
  const won = before.evidence['uncategorized_text'] === 'winning_evidence';
  await end(desk, null, { before, won });
}

/** Called by the clock: the shop did not answer in time and loses. */
export async function loseOverdueDispute(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Dispute>(desk.store, 'dispute', id);
  if (before?.status !== 'needs_response' && before?.status !== 'warning_needs_response') return;
  await end(desk, null, {
    before: { ...before, evidence_details: { ...before.evidence_details, past_due: true } },
    won: false,
  });
}

function isOpen(dispute: Dispute): boolean {
  return !['won', 'lost', 'warning_closed'].includes(dispute.status);
}

async function withdraw(desk: Desk, before: Dispute): Promise<void> {
  await move(desk, null, {
    before,
    type: 'charge.dispute.funds_withdrawn',
    amount: -before.amount,
    fee: FEE,
  });
}

async function move(
  desk: Desk,
  cause: Cause,
  facts: { before: Dispute; type: string; amount: number; fee: number },
): Promise<Dispute> {
  const { before, type, amount, fee } = facts;
  const transaction = await insertBalanceTransaction(desk, {
    type: 'adjustment',
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source: before.id,
    amount,
    currency: before.currency,
    fee,
    available: true,
    description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${before.charge}`,
  });
  const after: Dispute = {
    ...before,
    balance_transactions: [...before.balance_transactions, transaction],
  };
  await saveObject(desk.store, after);
  await emit(desk, cause, { type, object: after, previous: changesOf(before, after) });
  return after;
}

async function end(
  desk: Desk,
  cause: Cause,
  decided: { before: Dispute; won: boolean },
): Promise<Dispute> {
  const { before, won } = decided;
  const inquiry = before.status.startsWith('warning');
  const verdict = won ? 'won' : 'lost';
  const closed: Dispute = {
    ...before,
    status: inquiry ? 'warning_closed' : verdict,
    evidence_details: { ...before.evidence_details, due_by: null },
  };
  await saveObject(desk.store, closed);
  await emit(desk, cause, {
    type: 'charge.dispute.closed',
    object: closed,
    previous: changesOf(before, closed),
  });
  return won && !inquiry
    ? await move(desk, cause, {
        before: closed,
        type: 'charge.dispute.funds_reinstated',
        amount: before.amount,
        fee: 0,
      })
    : closed;
}
