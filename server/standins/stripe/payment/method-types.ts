/** The kinds of payment methods of this account: name, currencies, and when the outcome of a payment is known. */
import type { Behaviour } from './cards.ts';

export type MethodType = 'card' | 'satispay' | 'paypal' | 'klarna' | 'link' | 'sepa_debit';

interface MethodFacts {
  type: MethodType;
  /** As the buyer knows it. */
  label: string;
  /** Null: any. */
  currencies: readonly string[] | null;
  /** `card`: at once or after the bank's step; `redirect`: on the wallet's own page; `delayed`: days later. */
  flow: 'card' | 'redirect' | 'delayed';
}

/** In the order in which the page offers them. */
const FACTS: Record<MethodType, Omit<MethodFacts, 'type'>> = {
  card: { label: 'Carta', currencies: null, flow: 'card' },
  satispay: { label: 'Satispay', currencies: ['eur'], flow: 'redirect' },
  paypal: {
    label: 'PayPal',
    currencies: ['eur', 'usd', 'gbp', 'chf', 'sek', 'nok', 'dkk', 'pln', 'czk', 'huf'],
    flow: 'redirect',
  },
  klarna: {
    label: 'Klarna',
    currencies: ['eur', 'usd', 'gbp', 'chf', 'sek', 'nok', 'dkk', 'pln', 'czk'],
    flow: 'redirect',
  },
  link: { label: 'Link', currencies: null, flow: 'redirect' },
  sepa_debit: { label: 'Addebito SEPA', currencies: ['eur'], flow: 'delayed' },
};

export const METHOD_TYPES = Object.keys(FACTS) as MethodType[];

/** What paying on a wallet's own page does: the buyer decides there. */
export const WALLET: Behaviour = { challenge: 'always' };

export function factsOf(type: MethodType): MethodFacts {
  return { type, ...FACTS[type] };
}

export function isOffered(type: string, currency: string): type is MethodType {
  return (
    METHOD_TYPES.includes(type as MethodType) &&
    (FACTS[type as MethodType].currencies?.includes(currency) ?? true)
  );
}

/** The options of a payment intent, one group for each way it may be paid. */
export function intentOptionsOf(
  types: readonly MethodType[],
  request_three_d_secure: string,
): Record<string, object> {
  const options: Record<MethodType, object> = {
    card: { installments: null, mandate_options: null, network: null, request_three_d_secure },
    link: { persistent_token: null },
    paypal: { preferred_locale: null, reference: null },
    klarna: { preferred_locale: null },
    satispay: {},
    sepa_debit: {},
  };
  return Object.fromEntries(types.map((type) => [type, options[type]]));
}

/** Where a refund goes, in Stripe's words; undefined: it has none for this way to pay. */
export function destinationOf(type: MethodType): object | undefined {
  if (type === 'card')
    return {
      type,
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
    };
  if (type === 'klarna') return { type, klarna: { reference: null, reference_status: null } };
  if (type === 'paypal')
    return {
      type,
      paypal: { network_decline_code: null, reference: null, reference_status: null },
    };
  return undefined;
}

/** Whether the shop wants to use the method again: it is kept with its customer once it has paid. */
export const futureUsages = ['off_session', 'on_session'] as const;
export type FutureUsage = (typeof futureUsages)[number];
