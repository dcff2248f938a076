/**
 * The details of a charge in Stripe's form: one group per payment method, and the outcome of the
 * card network and the risk check.
 */
import { randomText } from '#server/standins/stripe/ids.ts';
import type { Behaviour } from './cards.ts';
import type { MethodType } from './method-types.ts';
import type { BillingDetails, CardShown, PaymentMethod } from './payment-methods.ts';

export interface PaidHow {
  method: PaymentMethod;
  behaviour: Behaviour;
  billing: BillingDetails;
  /** The buyer has answered the bank's question. */
  authenticated: boolean;
}

/** `payment_method_details` of a charge; the stand-in itself reads only the named fields. */
export interface ChargeDetails {
  type: MethodType;
  card?: CardDetails;
  [detail: string]: unknown;
}

interface CardDetails {
  brand: string;
  last4: string;
  [detail: string]: unknown;
}

/** `amount` is in cents. */
export function chargeDetailsOf(how: PaidHow, amount: number): ChargeDetails {
  const { method, billing } = how;
  if (method.card) return { type: 'card', card: cardDetailsOf(method.card, how, amount) };
  const transaction_id = randomText(17).toUpperCase();
  if (method.type === 'paypal') {
    return {
      type: 'paypal',
      paypal: {
        country: 'IT',
        payer_email: billing.email,
        payer_id: method.paypal?.payer_id ?? null,
        payer_name: billing.name,
        seller_protection: { dispute_categories: null, status: 'not_eligible' },
        transaction_id,
      },
    };
  }
  if (method.type === 'klarna')
    return {
      type: 'klarna',
      klarna: {
        payer_details: { address: { country: 'IT' } },
        payment_method_category: 'pay_now',
        preferred_locale: 'it-IT',
      },
    };
  if (method.type === 'satispay') return { type: 'satispay', satispay: { transaction_id } };
  return { type: 'link', link: { country: 'IT' } };
}

export function outcomeOf({ method, behaviour }: PaidHow): object {
  const { decline, isBlocked = false } = behaviour;
  const facts = {
    network_advice_code: null,
    network_decline_code: decline && method.type === 'card' && !isBlocked ? '01' : null,
    risk_level: isBlocked ? 'highest' : 'normal',
    risk_score: isBlocked ? 95 : 20,
  };
  if (isBlocked) {
    return {
      ...facts,
      advice_code: null,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    };
  }
  if (decline) {
    return {
      ...facts,
      advice_code: 'try_again_later',
      network_status: 'declined_by_network',
      reason: decline.decline_code ?? decline.code,
      seller_message: 'The bank did not approve the payment.',
      type: 'issuer_declined',
    };
  }
  return {
    ...facts,
    advice_code: null,
    network_status: 'approved_by_network',
    reason: null,
    seller_message: 'Payment complete.',
    type: 'authorized',
  };
}

function cardDetailsOf(card: CardShown, how: PaidHow, amount: number): CardDetails {
  const { decline } = how.behaviour;
  const visa = card.brand === 'visa';
  return {
    amount_authorized: decline ? null : amount,
    authorization_code: null,
    brand: card.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: decline?.code === 'incorrect_cvc' ? 'fail' : card.checks.cvc_check,
    },
    country: card.country,
    electronic_commerce_indicator: how.authenticated && visa ? '05' : null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    extended_authorization: { status: 'disabled' },
    fingerprint: card.fingerprint,
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: how.authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: visa ? '05' : '02',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: randomText(36),
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  };
}
