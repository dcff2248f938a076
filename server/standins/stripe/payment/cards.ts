/** The test cards and what each does. Others are refused, so no real number is stored. */
import { cardError } from '#server/standins/stripe/transport/errors.ts';

/** Why a payment fails, with Stripe's codes and the API's message; the page has its own words. */
export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
}

/** What happens when this test card or wallet pays; empty: the payment succeeds. */
export interface Behaviour {
  /** The payment fails; if there is a challenge, after it. */
  decline?: Decline;
  /** The bank or the wallet's own page first asks the buyer. */
  challenge?: true;
  /** The bank disputes the payment a moment later; an inquiry takes no money yet. */
  dispute?: 'fraudulent' | 'product_not_received' | 'inquiry';
  /** Refunds stay `pending` for a while, or first succeed and then fail. */
  refund?: 'slow' | 'fails';
  /** The risk check stops the payment before it reaches the bank. */
  isBlocked?: true;
  /** The money can be used immediately instead of after a week. */
  available?: true;
}

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** The `pm_card_…` of this card. */
  id: string;
  behaviour: Behaviour;
}

export interface CardData {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc?: string;
}

const GENERIC = 'Your card was declined.';
const POOR = 'Your card has insufficient funds.';
const FUNDS: Decline = { code: 'card_declined', decline_code: 'insufficient_funds', message: POOR };
const REFUSED: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: GENERIC,
};

export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'pm_card_visa', {}),
  card('5555555555554444', 'pm_card_mastercard', {}, 'mastercard'),
  card('378282246310005', 'pm_card_amex', {}, 'amex'),

  card('4000000000000002', 'pm_card_chargeDeclined', { decline: REFUSED }),
  card('4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds', { decline: FUNDS }),
  card('4000000000009987', 'pm_card_chargeDeclinedLostCard', {
    decline: { ...REFUSED, decline_code: 'lost_card' },
  }),
  card('4000000000009979', 'pm_card_chargeDeclinedStolenCard', {
    decline: { ...REFUSED, decline_code: 'stolen_card' },
  }),
  card('4000000000000069', 'pm_card_chargeDeclinedExpiredCard', {
    decline: { code: 'expired_card', message: 'Your card has expired.' },
  }),
  card('4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc', {
    decline: {
      code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    },
  }),
  card('4000000000000119', 'pm_card_chargeDeclinedProcessingError', {
    decline: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  }),
  card('4000000000006975', 'pm_card_chargeDeclinedVelocityLimitExceeded', {
    decline: {
      ...REFUSED,
      decline_code: 'card_velocity_exceeded',
      message: 'Your card was declined for exceeding its limit.',
    },
  }),
  card('4100000000000019', 'pm_card_radarBlock', {
    isBlocked: true,
    decline: { ...REFUSED, decline_code: 'fraudulent' },
  }),
  card('4000000000000077', 'pm_card_bypassPending', { available: true }),

  card('4000002760003184', 'pm_card_authenticationRequired', { challenge: true }),
  card('4000008400001629', 'pm_card_threeDSecureRequiredChargeDeclined', {
    challenge: true,
    decline: REFUSED,
  }),
  card('4000008260003178', 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', {
    challenge: true,
    decline: FUNDS,
  }),

  card('4000000000000259', 'pm_card_createDispute', { dispute: 'fraudulent' }),
  card('4000000000002685', 'pm_card_createDisputeProductNotReceived', {
    dispute: 'product_not_received',
  }),
  card('4000000000001976', 'pm_card_createDisputeInquiry', { dispute: 'inquiry' }),
  card('4000000000007726', 'pm_card_pendingRefund', { refund: 'slow' }),
  card('4000000000005126', 'pm_card_refundFail', { refund: 'fails' }),
];

/**
 * Finds the test card by its number and checks the data. Months and years are compared in UTC.
 * @throws StripeError 402 naming the wrong parameter
 */
export function checkCard(data: CardData, now: number): TestCard {
  const number = data.number.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', {
      param: 'number',
    });
  }
  const year = data.exp_year < 100 ? 2000 + data.exp_year : data.exp_year;
  const today = new Date(now);
  if (data.exp_month < 1 || data.exp_month > 12)
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", {
      param: 'exp_month',
    });
  if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", {
      param: 'exp_year',
    });
  }
  if (year === today.getUTCFullYear() && data.exp_month < today.getUTCMonth() + 1) {
    throw cardError(
      'invalid_expiry_month',
      "Your card's expiration month is invalid: it is over.",
      {
        param: 'exp_month',
      },
    );
  }
  const found = TEST_CARDS.find((each) => each.number === number);
  const digits = found?.brand === 'amex' ? 4 : 3;
  if (data.cvc !== undefined && !new RegExp(`^\\d{${digits}}$`).test(data.cvc)) {
    throw cardError(
      'invalid_cvc',
      `Your card's security code is invalid: it has ${digits} digits.`,
      { param: 'cvc' },
    );
  }
  if (!found) {
    throw cardError(
      'card_declined',
      'Your card was declined. Only test cards are taken here; this is none, and it was not stored.',
      { param: 'number', decline_code: 'test_mode_live_card' },
    );
  }
  return found;
}

export function findTestCard(id: string): TestCard | undefined {
  return TEST_CARDS.find((each) => each.id === id);
}

function card(
  number: string,
  id: string,
  behaviour: Behaviour,
  brand: TestCard['brand'] = 'visa',
): TestCard {
  return { number, brand, id, behaviour };
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
