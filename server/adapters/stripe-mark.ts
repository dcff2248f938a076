/**
 * Our mark on all that we make at Stripe: the house's id in the metadata. Another shop on the
 * same account may have metadata of the same names, such as `order_id`.
 */

/** Returns the house's id, which stays the same when the house is restored or moved. */
export type HouseId = () => Promise<string>;

type Metadata = Readonly<Record<string, unknown>> | null | undefined;

const name = 'botteghino';

export function withMark(
  house: string,
  fields: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...fields, [name]: house };
}

export function hasOurMark(house: string, metadata: Metadata): boolean {
  return metadata?.[name] === house;
}

/** True for an object that another house on the same account has made. */
export function isOfAnotherHouse(house: string, metadata: Metadata): boolean {
  return metadata?.[name] !== undefined && !hasOurMark(house, metadata);
}

/** A text that we stored with our mark; null if the object is not ours or lacks it. */
export function ourField(house: string, metadata: Metadata, field: string): string | null {
  const value = hasOurMark(house, metadata) ? metadata?.[field] : null;
  return typeof value === 'string' ? value : null;
}
