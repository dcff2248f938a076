/** The test cards and what each of them does; nothing else is ever taken, so no real card number is stored. */
import { cardError } from './errors.ts';

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  funding: 'credit' | 'debit';
  country: string;
  /** Ids that stand for this card without its number. */
  ids: string[];
  /** Left out: the payment succeeds. */
  decline?: { code: string; decline_code: string; message: string };
}

export interface CardData { number: string; exp_month: number; exp_year: number; cvc?: string }

const GENERIC = 'La carta è stata rifiutata. Prova con un’altra carta.';

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', funding: 'credit', country: 'US', ids: ['pm_card_visa', 'pm_card_us'] },
  { number: '4000003800000008', brand: 'visa', funding: 'credit', country: 'IT', ids: ['pm_card_it'] },
  { number: '4000056655665556', brand: 'visa', funding: 'debit', country: 'US', ids: ['pm_card_visa_debit'] },
  { number: '5555555555554444', brand: 'mastercard', funding: 'credit', country: 'US', ids: ['pm_card_mastercard'] },
  { number: '378282246310005', brand: 'amex', funding: 'credit', country: 'US', ids: ['pm_card_amex'] },
  declining('4000000000000002', 'pm_card_chargeDeclined', 'generic_decline', GENERIC),
  declining('4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds', 'La carta è stata rifiutata: i fondi non bastano. Prova con un’altra carta.'),
  declining('4000000000009987', 'pm_card_chargeDeclinedLostCard', 'lost_card', GENERIC),
  declining('4000000000009979', 'pm_card_chargeDeclinedStolenCard', 'stolen_card', GENERIC),
  declining('4000000000000069', 'pm_card_chargeDeclinedExpiredCard', 'expired_card', 'La carta è scaduta. Prova con un’altra carta.', 'expired_card'),
  declining('4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'Il codice di sicurezza della carta non è corretto.', 'incorrect_cvc'),
  declining('4000000000000119', 'pm_card_chargeDeclinedProcessingError', 'processing_error', 'Si è verificato un errore nell’elaborare la carta. Riprova tra poco.', 'processing_error'),
  ...['4000002760003184', '4000000000003220'].map((number, index) => declining(
    number, ['pm_card_authenticationRequired', 'pm_card_threeDSecure2Required'][index]!, 'authentication_required',
    'Questa carta chiede la verifica 3-D Secure, che qui non è ancora disponibile. Prova con un’altra carta.', 'authentication_required',
  )),
];

/** Finds the card behind a number; throws 402 in Italian with the parameter at fault. Months and years are compared in UTC. */
export function checkCard(card: CardData, now: number): TestCard {
  const number = card.number.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Il numero della carta non è corretto.', { param: 'number' });
  }
  const year = card.exp_year < 100 ? 2000 + card.exp_year : card.exp_year;
  const today = new Date(now);
  if (card.exp_month < 1 || card.exp_month > 12) throw cardError('invalid_expiry_month', 'Il mese di scadenza non è valido.', { param: 'exp_month' });
  if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50) {
    throw cardError('invalid_expiry_year', 'L’anno di scadenza della carta non è valido.', { param: 'exp_year' });
  }
  if (year === today.getUTCFullYear() && card.exp_month < today.getUTCMonth() + 1) {
    throw cardError('invalid_expiry_month', 'La carta è scaduta: controlla la data.', { param: 'exp_month' });
  }
  const found = TEST_CARDS.find((each) => each.number === number);
  const digits = found?.brand === 'amex' ? 4 : 3;
  if (card.cvc !== undefined && !new RegExp(`^\\d{${digits}}$`).test(card.cvc)) {
    throw cardError('invalid_cvc', `Il codice di sicurezza non è valido: servono ${digits} cifre.`, { param: 'cvc' });
  }
  if (!found) {
    throw cardError('card_declined', 'Qui si paga solo con le carte di prova: questa non lo è, e non è stata memorizzata.', { param: 'number', decline_code: 'test_mode_live_card' });
  }
  return found;
}

export function findTestCard(id: string): TestCard | undefined {
  // Stripe writes the declining ones with and without the brand in the middle.
  const plain = id.replace('pm_card_visa_charge', 'pm_card_charge');
  return TEST_CARDS.find((card) => card.ids.includes(plain));
}

function declining(number: string, id: string, declineCode: string, message: string, code = 'card_declined'): TestCard {
  return { number, brand: 'visa', funding: 'credit', country: 'US', ids: [id], decline: { code, decline_code: declineCode, message } };
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
