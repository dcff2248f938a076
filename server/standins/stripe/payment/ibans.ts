/** The test bank accounts of SEPA direct debit and the outcome that each of them has, seconds later. */
import type { Behaviour, Decline } from './cards.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';

export interface TestIban {
  iban: string;
  ids: string[];
  behaviour: Behaviour;
}

const SOON = 5;
const DELAYED = 180;
const UNPAID: Decline = {
  code: 'payment_method_provider_decline',
  message: 'The bank did not pay the debit.',
};

export const TEST_IBANS: readonly TestIban[] = [
  { iban: 'IT40S0542811101000000123456', ids: ['pm_success_it'], behaviour: { delay: SOON } },
  { iban: 'AT611904300234573201', ids: ['pm_success_at'], behaviour: { delay: SOON } },
  { iban: 'AT321904300235473204', ids: ['pm_successDelayed_at'], behaviour: { delay: DELAYED } },
  {
    iban: 'AT861904300235473202',
    ids: ['pm_failed_at'],
    behaviour: { delay: SOON, decline: UNPAID },
  },
  {
    iban: 'AT051904300235473205',
    ids: ['pm_failedDelayed_at'],
    behaviour: { delay: DELAYED, decline: UNPAID },
  },
  {
    iban: 'AT591904300235473203',
    ids: ['pm_disputed_at'],
    behaviour: { delay: SOON, dispute: 'fraudulent' },
  },
];

/** Finds the account; throws 400 for what is no IBAN or none of these. */
export function checkIban(text: string): TestIban {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban) || remainderOf(iban) !== 1) {
    throw refuse('The IBAN you provided is invalid.', {
      code: 'invalid_bank_account_iban',
      param: 'sepa_debit[iban]',
    });
  }
  const found = TEST_IBANS.find((each) => each.iban === iban);
  if (!found)
    throw refuse('Only test IBANs are taken here; this is none, and it was not stored.', {
      code: 'payment_method_invalid_parameter_testmode',
      param: 'sepa_debit[iban]',
    });
  return found;
}

export function findTestIban(id: string): TestIban | undefined {
  return TEST_IBANS.find((each) => each.ids.includes(id));
}

/** ISO 13616: the first four characters go to the end, letters count from ten, and the whole is 1 modulo 97. */
function remainderOf(iban: string): number {
  const digits = [...iban.slice(4), ...iban.slice(0, 4)]
    .map((character) => Number.parseInt(character, 36))
    .join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
}
