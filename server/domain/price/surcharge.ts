/**
 * Surcharges: what a ticket or an order that is paid bears on top of its price, as presale fee or
 * as service commission (RULES P4).
 */
import { type SurchargeKind, surchargeUnits } from './price-bounds.ts';
import { noFees, type Fees } from './fees.ts';
import { percentOf } from './share.ts';

/** An amount in cents, or a part of the list price: exactly one of the two is set. */
export interface Borne {
  kind: SurchargeKind;
  cents: number | null;
  percent: number | null;
}

/** A surcharge that counts in a sale. */
export interface SoldSurcharge extends Borne {
  per: (typeof surchargeUnits)[number];
  /** As the price list names them; null: all. */
  categories: string[] | null;
}

export interface Surcharge extends SoldSurcharge {
  not_at_till: boolean;
  /** From midnight in Rome before the show on. */
  not_on_day: boolean;
}

/** The surcharges in an event's row. */
export function surchargesOf({ surcharges }: { surcharges: string | null }): Surcharge[] {
  return surcharges === null ? [] : (JSON.parse(surcharges) as Surcharge[]);
}

/** The surcharges with the names that a renamed hall gives their categories. */
export function renameCategories(
  surcharges: readonly Surcharge[],
  nameOf: (category: string) => string,
): Surcharge[] {
  return surcharges.map((one) => ({ ...one, categories: one.categories?.map(nameOf) ?? null }));
}

/** The presale fee with a price of its own at Stripe, on every paid ticket. */
export function flatPresale(cents: number): SoldSurcharge {
  return { kind: 'presale', per: 'ticket', cents, percent: null, categories: null };
}

/** What each ticket of a category bears. */
export function borneIn(surcharges: readonly SoldSurcharge[], category: string): Borne[] {
  return surcharges
    .filter(
      ({ per, categories }) =>
        per === 'ticket' && (categories === null || categories.includes(category)),
    )
    .map(({ kind, cents, percent }) => ({ kind, cents, percent }));
}

/** What one ticket bears, reckoned on its list price; a free one bears nothing. */
export function feesOn(bears: readonly Borne[], list_cents: number): Fees {
  return list_cents === 0 ? noFees : sumBorne(bears, list_cents);
}

/** What an order bears once, if something of it is paid. */
export function feesPerOrder(surcharges: readonly SoldSurcharge[]): Fees {
  const own = surcharges.filter(({ per }) => per === 'order');
  return sumBorne(own, 0);
}

function sumBorne(bears: readonly Borne[], list_cents: number): Fees {
  const sumOf = (items: readonly Borne[]) =>
    items.reduce(
      (sum, { cents, percent }) => sum + (cents ?? percentOf(list_cents, percent ?? 0)),
      0,
    );
  return {
    fee_cents: sumOf(bears),
    service_cents: sumOf(bears.filter(({ kind }) => kind === 'service')),
  };
}
