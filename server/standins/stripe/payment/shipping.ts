/** Where something is sent: kept on the intent, its charge and the customer, and nothing else comes of it. */
import {
  clearable,
  group,
  need,
  text,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';
import { emptyAddress, type Address } from './address.ts';

export interface Shipping {
  address: Address;
  carrier: string | null;
  name: string;
  phone: string | null;
  tracking_number: string | null;
}

const line = clearable(text({ max: 500 }));
const address = group({
  city: line,
  country: line,
  line1: line,
  line2: line,
  postal_code: line,
  state: line,
});
const recipient = { address: need(address), name: need(text({ max: 500 })), phone: line };

export const shipping = group({ ...recipient, carrier: line, tracking_number: line });
/** A customer's has no parcel yet. */
export const customerShipping = group(recipient);

export function wholeShipping(given: Read<{ is: typeof shipping }>['is'] & object): Shipping {
  return {
    address: { ...emptyAddress(), ...given.address },
    carrier: given.carrier ?? null,
    name: given.name,
    phone: given.phone ?? null,
    tracking_number: given.tracking_number ?? null,
  };
}
