/** The hosted page of a payment intent without a session: only the buyer's confirmation is left to give. */
import { ok, type Call, type Reply, type ReadCall } from '#server/standins/stripe/call.ts';
import { refuse, refuseState } from '#server/standins/stripe/transport/errors.ts';
import { findObject, readPrivate } from '#server/standins/stripe/statements/objects.ts';
import { nextActionOf, type PaymentPage } from './page-shape.ts';
import {
  answerStep,
  type HiddenIntent,
  type PaymentIntent,
} from '#server/standins/stripe/payment/payment-intents.ts';

/** The intent whose client secret stands in the address; a session's own intent has no page beside the session's. */
export async function findIntentOfPage(call: ReadCall): Promise<PaymentIntent | undefined> {
  const id = /^(pi_\w+?)_secret_\w+$/.exec(call.id)?.[1];
  const intent =
    id === undefined
      ? undefined
      : await findObject<PaymentIntent>(call.store, 'payment_intent', id);
  return intent?.client_secret === call.id &&
    (await readPrivate<HiddenIntent>(call.store, intent.id)).session === null
    ? intent
    : undefined;
}

export async function intentPageOf(call: ReadCall, intent: PaymentIntent): Promise<PaymentPage> {
  const { return_url } = await readPrivate<HiddenIntent>(call.store, intent.id);
  const next_action = await nextActionOf(call, intent.id);
  const unpaidStatus = next_action ? 'open' : 'expired';
  // By hand: the buyer is done, and the shop's own server goes on.
  const isShopsTurn =
    intent.status === 'requires_confirmation' && intent.confirmation_method === 'manual';
  const done =
    isShopsTurn || ['succeeded', 'processing', 'requires_capture'].includes(intent.status);
  return {
    id: intent.client_secret,
    object: 'payment_page',
    amount_subtotal: intent.amount,
    amount_total: intent.amount,
    cancel_url: backTo(return_url, intent, 'failed'),
    currency: intent.currency,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_email: null,
    expires_at: null,
    line_items: [
      {
        description: intent.description ?? 'Pagamento',
        quantity: 1,
        unit_amount: intent.amount,
        amount_total: intent.amount,
      },
    ],
    livemode: false,
    mode: 'payment',
    next_action,
    payment_method_types: intent.payment_method_types,
    payment_status: done && !isShopsTurn && intent.status !== 'processing' ? 'paid' : 'unpaid',
    phone_number_collection: { enabled: false },
    status: done ? 'complete' : unpaidStatus,
    submit_type: null,
    success_url: backTo(return_url, intent, 'succeeded'),
  };
}

export async function answerIntentPage(
  call: Call,
  intent: PaymentIntent,
  params: { expected_amount: number; next_action?: string; outcome?: 'approve' | 'refuse' },
): Promise<Reply> {
  const { step } = await readPrivate<HiddenIntent>(call.store, intent.id);
  if (params.expected_amount !== intent.amount)
    throw refuse(
      `expected_amount (${params.expected_amount}) is not the amount of this PaymentIntent (${intent.amount}).`,
      { param: 'expected_amount' },
    );
  if (intent.status !== 'requires_action' || !step || step.id !== params.next_action)
    throw refuseState('This is not the question that waits for an answer.', {
      param: 'next_action',
    });
  const attempt = await answerStep(call, intent, { step, approved: params.outcome === 'approve' });
  return attempt.state === 'refused'
    ? { status: attempt.refusal.status, body: { error: attempt.refusal.body } }
    : ok(await intentPageOf(call, attempt.intent));
}

/** Stripe adds to the shop's address which intent comes back and how it went. */
function backTo(
  address: string | null,
  intent: PaymentIntent,
  redirect_status: 'succeeded' | 'failed',
): string | null {
  if (address === null) return null;
  const back = new URL(address);
  for (const [name, value] of Object.entries({
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status,
  }))
    back.searchParams.set(name, value);
  return back.href;
}
