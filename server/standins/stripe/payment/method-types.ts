/** The types of payment methods of this account: their names and their behaviour. */
import type { Behaviour } from './cards.ts';

export type MethodType = 'card' | 'satispay' | 'paypal' | 'klarna' | 'link';

/** The names for the buyer, in the order of the page. */
export const METHOD_LABELS: Record<MethodType, string> = {
  card: 'Carta',
  satispay: 'Satispay',
  paypal: 'PayPal',
  klarna: 'Klarna',
  link: 'Link',
};

export const METHOD_TYPES = Object.keys(METHOD_LABELS) as MethodType[];

/** Every wallet asks the buyer on its own page. */
export const WALLET: Behaviour = { challenge: true };

/** The options of a payment intent, one group for each type of payment method. */
export function intentOptionsOf(types: readonly MethodType[]): Record<string, object> {
  const options: Record<MethodType, object> = {
    card: {
      installments: null,
      mandate_options: null,
      network: null,
      request_three_d_secure: 'automatic',
    },
    link: { persistent_token: null },
    paypal: { preferred_locale: null, reference: null },
    klarna: { preferred_locale: null },
    satispay: {},
  };
  return Object.fromEntries(types.map((type) => [type, options[type]]));
}

/** `destination_details` of a refund; undefined if Stripe has none for this type. */
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
