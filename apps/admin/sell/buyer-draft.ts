/** The buyer that the seller has typed or found. */
import type { findCustomers } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SaleBody } from './use-sale.ts';

export type Customer = ReplyOf<typeof findCustomers>['items'][number];

/** `customer` is an earlier buyer; typed mail or telephone replace theirs. */
export interface BuyerDraft {
  name: string;
  email: string;
  phone: string;
  customer: Customer | null;
}

export const noBuyer: BuyerDraft = { name: '', email: '', phone: '', customer: null };

/** Empty without a buyer. */
export function bodyOfBuyer(draft: BuyerDraft): Pick<SaleBody, 'buyer'> {
  const { name, email, phone, customer } = draft;
  const filled = Object.entries({ name, email, phone }).filter(([, text]) => text.trim() !== '');
  if (filled.length === 0 && customer === null) return {};
  const known = customer === null ? {} : { customer: customer.customer_id };
  return { buyer: { ...Object.fromEntries(filled), ...known } };
}
