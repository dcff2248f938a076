/** The test cards and what each of them does; nothing else is ever taken, so no real card number is stored. */
import { cardError } from '#server/standins/stripe/transport/errors.ts';

/** Why a try fails: `code` and `decline_code` as Stripe documents them, the message as the API says it: the page has words of its own. */
export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
}

/** What happens when somebody pays with a test instrument; empty: the money arrives. */
export interface Behaviour {
  /** The try fails, with a challenge: after it. */
  decline?: Decline;
  /** The bank (or the wallet's own page) asks the buyer first. `optional`: only when the shop wants it. */
  challenge?: 'always' | 'optional';
  /** A moment after the payment somebody disputes it; an inquiry takes no money yet. */
  dispute?: 'fraudulent' | 'product_not_received' | 'inquiry';
  /** Refunds are `pending` for a while, or succeed and then fail. */
  refund?: 'slow' | 'fails';
  risk?: 'elevated' | 'highest';
  /** The money can be used at once instead of after a week. */
  available?: true;
  /** Seconds until the outcome is known; until then the payment is `processing`. */
  delay?: number;
}

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay';
  funding: 'credit' | 'debit' | 'prepaid';
  country: string;
  /** Ids that stand for this card without its number. */
  ids: string[];
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
  card('4242424242424242', 'pm_card_visa pm_card_us', {}),
  card('4000003800000008', 'pm_card_it', {}, { country: 'IT' }),
  card('4000000400000008', 'pm_card_at', {}, { country: 'AT' }),
  card('4000007560000009', 'pm_card_ch', {}, { country: 'CH' }),
  card('4000002760000016', 'pm_card_de', {}, { country: 'DE' }),
  card('4000007240000007', 'pm_card_es', {}, { country: 'ES' }),
  card('4000002500000003', 'pm_card_fr', {}, { country: 'FR' }),
  card('4000008260000000', 'pm_card_gb', {}, { country: 'GB' }),
  card('4000056655665556', 'pm_card_visa_debit', {}, { funding: 'debit' }),
  card('5555555555554444', 'pm_card_mastercard', {}, { brand: 'mastercard' }),
  card('2223003122003222', 'pm_card_mastercard_2series', {}, { brand: 'mastercard' }),
  card(
    '5200828282828210',
    'pm_card_mastercard_debit',
    {},
    { brand: 'mastercard', funding: 'debit' },
  ),
  card(
    '5105105105105100',
    'pm_card_mastercard_prepaid',
    {},
    { brand: 'mastercard', funding: 'prepaid' },
  ),
  card(
    '378282246310005',
    'pm_card_amex pm_card_amex_threeDSecureNotSupported',
    {},
    { brand: 'amex' },
  ),
  card('371449635398431', '', {}, { brand: 'amex' }),
  card('6011111111111117', 'pm_card_discover', {}, { brand: 'discover' }),
  card('3056930009020004', 'pm_card_diners', {}, { brand: 'diners' }),
  card('3566002020360505', 'pm_card_jcb', {}, { brand: 'jcb', country: 'JP' }),
  card('6200000000000005', 'pm_card_unionpay', {}, { brand: 'unionpay', country: 'CN' }),

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
  card('4000000000000341', 'pm_card_chargeCustomerFail', { decline: REFUSED }),
  card('4100000000000019', 'pm_card_radarBlock', {
    risk: 'highest',
    decline: { ...REFUSED, decline_code: 'fraudulent' },
  }),
  card('4000000000009235', 'pm_card_riskLevelElevated', { risk: 'elevated' }),
  card('4000000000000077', 'pm_card_bypassPending', { available: true }),

  card(
    '4000002760003184',
    'pm_card_authenticationRequired',
    { challenge: 'always' },
    { country: 'IE' },
  ),
  card(
    '4000002500003155',
    'pm_card_authenticationRequiredOnSetup',
    { challenge: 'always' },
    { country: 'FR' },
  ),
  card('4000000000003220', 'pm_card_threeDSecure2Required pm_card_threeDSecureRequired', {
    challenge: 'always',
  }),
  card('4000008400001629', 'pm_card_threeDSecureRequiredChargeDeclined', {
    challenge: 'always',
    decline: REFUSED,
  }),
  card(
    '4000008260003178',
    'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    { challenge: 'always', decline: FUNDS },
    { country: 'GB' },
  ),
  card('4000000000003055', 'pm_card_threeDSecureOptional', { challenge: 'optional' }),

  card('4000000000000259', 'pm_card_createDispute', { dispute: 'fraudulent' }),
  card('4000000000002685', 'pm_card_createDisputeProductNotReceived', {
    dispute: 'product_not_received',
  }),
  card('4000000000001976', 'pm_card_createDisputeInquiry', { dispute: 'inquiry' }),
  card('4000000000007726', 'pm_card_pendingRefund', { refund: 'slow' }),
  card('4000000000005126', 'pm_card_refundFail', { refund: 'fails' }),
];

/** Finds the card behind a number; throws 402 with the parameter at fault. Months and years are compared in UTC. */
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
  // Stripe writes the declining ones with and without the brand in the middle.
  const plain = id.replace('pm_card_visa_charge', 'pm_card_charge');
  return TEST_CARDS.find((each) => each.ids.includes(plain));
}

/** `tok_visa` is the card of `pm_card_visa`. */
export function findTestToken(token: string): TestCard | undefined {
  return token.startsWith('tok_') ? findTestCard(token.replace('tok_', 'pm_card_')) : undefined;
}

function card(
  number: string,
  ids: string,
  behaviour: Behaviour,
  facts: Partial<Pick<TestCard, 'brand' | 'funding' | 'country'>> = {},
): TestCard {
  return {
    number,
    brand: 'visa',
    funding: 'credit',
    country: 'US',
    ids: ids.split(' ').filter((id) => id !== ''),
    behaviour,
    ...facts,
  };
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
