/** Disputes (chargebacks): the bank takes the money back at once, and the shop's evidence decides who keeps it. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import * as v from 'valibot';
import { insertBalanceTransaction, type BalanceTransaction } from './balance.ts';
import {
  seconds,
  type Call,
  type Desk,
  type Reply,
  type ReadCall,
} from '#server/standins/stripe/call.ts';
import type { Behaviour } from '#server/standins/stripe/payment/cards.ts';
import { behaviourOf, type Charge } from '#server/standins/stripe/payment/charges.ts';
import { refuse, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit, type Cause } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { schedule } from '#server/standins/stripe/statements/later.ts';
import { createdRange } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  findObject,
  getObject,
  insertObject,
  saveObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { failRefund, type Refund } from './refunds.ts';
import {
  clearable,
  flag,
  group,
  metadata,
  oneOf,
  patched,
  readParams,
  say,
  text,
  unbuilt,
  type Rule,
} from '#server/standins/stripe/transport/rules.ts';

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
  intended_submission_method: 'manual' | 'prefer_manual' | null;
  is_charge_refundable: boolean;
  livemode: false;
  metadata: Record<string, string>;
  payment_intent: string | null;
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

/** Example figure of the right size, kept by Stripe whatever the outcome. */
const FEE = 2000;
const ANSWER_WITHIN = 9 * 24 * 3600;

const TEXTS = [
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
  'uncategorized_text',
];
const FILES = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
];
/** Stripe's limit over all texts together. */
const MAX_EVIDENCE = 150_000;

/** By the clock, a moment after a payment with a card that is known to do this. */
export async function openDispute(desk: Desk, chargeId: string): Promise<void> {
  const kind = (await behaviourOf(desk, chargeId)).dispute;
  if (kind && kind !== 'inquiry') await stopRefunds(desk, chargeId);
  const charge = await findObject<Charge>(desk.store, 'charge', chargeId);
  const left = charge ? charge.amount_captured - charge.amount_refunded : 0;
  if (!charge || !kind || charge.disputed || left <= 0) return;
  const dispute = disputeOf(desk, charge, { kind, left });
  await insertObject(desk.store, dispute);
  await saveObject(desk.store, { ...charge, disputed: true } as Charge);
  await emit(desk, null, { type: 'charge.dispute.created', object: dispute });
  await schedule(desk.store, dispute.evidence_details.due_by!, {
    task: 'overdue_dispute',
    subject: dispute.id,
  });
  if (kind !== 'inquiry') await withdraw(desk, dispute);
}

function disputeOf(
  desk: Desk,
  charge: Charge,
  { kind, left }: { kind: NonNullable<Behaviour['dispute']>; left: number },
): Dispute {
  const inquiry = kind === 'inquiry';
  const { type, card } = charge.payment_method_details as {
    type: string;
    card?: { brand: string };
  };
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
      ...Object.fromEntries([...TEXTS, ...FILES].map((name) => [name, null])),
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: seconds(desk) + ANSWER_WITHIN,
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

/** GET /v1/disputes/:id */
export function retrieveDispute(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'dispute');
}

/** GET /v1/disputes?charge&payment_intent&created */
export function listDisputes(call: ReadCall): Promise<Reply> {
  return answerList(call, 'dispute', {
    url: '/v1/disputes',
    filters: { charge: text(), created: createdRange(), payment_intent: text() },
  });
}

/**
 * POST /v1/disputes/:id {evidence?, metadata?, submit? (default true)}: handing in evidence sends it to the bank. As in Stripe's test mode an
 * `uncategorized_text` of `winning_evidence` wins and of `losing_evidence` loses a moment later, and `escalate_inquiry_evidence` turns an inquiry into a dispute.
 */
export async function updateDispute(call: Call): Promise<Reply> {
  const before = await getObject<Dispute>(call.store, 'dispute', call.id);
  const params = readParams(call.form, {
    evidence: group({
      ...Object.fromEntries(TEXTS.map((name) => [name, clearable(text({ max: 20_000 }))])),
      ...Object.fromEntries(FILES.map((name) => [name, clearable(noFile())])),
      appeal: unbuilt(),
      enhanced_evidence: unbuilt(),
    }),
    expand,
    intended_submission_method: oneOf(['manual', 'prefer_manual']),
    metadata: metadata(),
    submit: flag(),
  });
  const given = Object.entries(params.evidence ?? {});
  if (given.length > 0 && !isOpen(before))
    throw refuseState(`This dispute is ${before.status}: evidence can no longer be given.`, {
      param: 'evidence',
    });
  const evidence: Record<string, unknown> = { ...before.evidence, ...Object.fromEntries(given) };
  if (JSON.stringify(evidence).length > MAX_EVIDENCE)
    throw refuse(`All evidence together can have at most ${MAX_EVIDENCE} characters.`, {
      param: 'evidence',
    });
  const submits =
    isOpen(before) && (given.length > 0 || params.submit === true) && params.submit !== false;
  const has_evidence =
    given.length > 0
      ? TEXTS.some((name) => typeof evidence[name] === 'string')
      : before.evidence_details.has_evidence;
  const after: Dispute = {
    ...before,
    evidence,
    evidence_details: {
      ...before.evidence_details,
      has_evidence,
      ...(submits
        ? {
            submission_count: before.evidence_details.submission_count + 1,
            submission_method: 'manual' as const,
          }
        : {}),
    },
    intended_submission_method:
      params.intended_submission_method ?? before.intended_submission_method,
    metadata: patched(before.metadata, params.metadata),
    status: submits ? underReview(before) : before.status,
  };
  await change(call, call, { before, after });
  if (
    submits &&
    /^(winning|losing|escalate_inquiry)_evidence$/.test(String(evidence['uncategorized_text']))
  )
    await schedule(call.store, seconds(call) + 1, { task: 'decide_dispute', subject: after.id });
  return replyWith(call, after, params.expand);
}

function underReview({ status }: Dispute): Dispute['status'] {
  return status.startsWith('warning') ? 'warning_under_review' : 'under_review';
}

/** POST /v1/disputes/:id/close: gives up; lost for ever. */
export async function closeDispute(call: Call): Promise<Reply> {
  const before = await getObject<Dispute>(call.store, 'dispute', call.id);
  const { expand: paths } = readParams(call.form, { expand });
  if (!isOpen(before))
    throw refuseState(`This dispute is already closed: its status is ${before.status}.`);
  return replyWith(call, await end(call, call, { before, won: false }), paths);
}

/** The bank has read the evidence; by the clock. */
export async function decideDispute(desk: Desk, id: string): Promise<void> {
  const before = await findObject<Dispute>(desk.store, 'dispute', id);
  if (!before || !isOpen(before)) return;
  const said = before.evidence['uncategorized_text'];
  if (said !== 'escalate_inquiry_evidence') {
    await end(desk, null, { before, won: said === 'winning_evidence' });
  } else if (before.status.startsWith('warning')) {
    const after: Dispute = { ...before, status: 'needs_response', is_charge_refundable: false };
    await change(desk, null, { before, after });
    await stopRefunds(desk, after.charge);
    await withdraw(desk, after);
  }
}

/** Nobody answered in time; by the clock. */
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

/** What has not left yet goes to the bank with the rest. */
async function stopRefunds(desk: Desk, charge: string): Promise<void> {
  for (const refund of await allObjects<Refund>(desk.store, 'refund', [
    { path: 'charge', is: charge },
    { path: 'status', is: 'pending' },
  ])) {
    await failRefund(desk, refund.id, 'charge_for_pending_refund_disputed');
  }
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

async function change(
  desk: Desk,
  cause: Cause,
  { before, after }: { before: Dispute; after: Dispute },
): Promise<void> {
  await saveObject(desk.store, after);
  await emit(desk, cause, {
    type: 'charge.dispute.updated',
    object: after,
    previous: changesOf(before, after),
  });
}

/** Evidence files are uploaded through another part of Stripe that is not built, so there is none to name. */
function noFile(): Rule<never> {
  return v.never(say("No such file: '{given}'", 'resource_missing'));
}
