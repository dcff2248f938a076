/**
 * Kinds and bounds of prices, by which requests and forms are checked. They stand apart from what
 * reckons, so that a page that only checks does not load it.
 */

/** An amount in cents is zero or between these bounds; the lower one is Stripe's smallest sum. */
export const leastCents = 50;
export const mostCents = 1_000_000;

export function isAmount(cents: number): boolean {
  return Number.isInteger(cents) && (cents === 0 || (cents >= leastCents && cents <= mostCents));
}

export const mostPhases = 5;
/** The least and the most of each number of a phase, and the longest name. */
export const phaseBounds = { hours: [1, 720], tickets: [1, 100_000] } as const;
export const longestPhaseName = 60;

/** `presale` is a part of the show's price, `service` a service beside it: each has its VAT. */
export const surchargeKinds = ['presale', 'service'] as const;
export type SurchargeKind = (typeof surchargeKinds)[number];
export const surchargeUnits = ['ticket', 'order'] as const;

/** The most rows of an event, and the bounds of an amount and of a part. */
export const mostSurcharges = 12;
export const surchargeBounds = { cents: [1, 10_000], percent: [1, 50] } as const;

/** What the price of an object sold whole is for: each of its places, or the object. */
export const pricedPer = ['place', 'object'] as const;
export type PricedPer = (typeof pricedPer)[number];

/** Why a price at Stripe cannot be sold here. */
export const priceFaults = [
  'inactive',
  'product_inactive',
  'not_eur',
  'no_amount',
  'recurring',
] as const;
export type PriceFault = (typeof priceFaults)[number];
