/** What a price rule may name: sectors of the halls and ticket types of the dates that it meets. */
import type { Db } from '#db/engine/dialect.ts';
import { findShow } from '#db/event/shows.ts';
import type { RuleOwner } from '#db/event/rule-desk.ts';
import { hallCategories } from '#db/payment/made-prices.ts';
import type { EventRow } from '#db/rows.ts';
import { typesOf } from '#server/domain/price/price-matrix.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';

export interface SoldNames {
  /** Labels of categories. */
  categories: string[];
  ticket_types: { ticketType: string; label: string }[];
}

/** A show's own pricing is that of its next dates. */
export async function soldUnder(
  db: Db,
  { show_id }: RuleOwner,
  dates: readonly EventRow[],
): Promise<SoldNames> {
  const show = show_id === null ? undefined : await findShow(db, show_id);
  const pricing = [...(show ? [show] : []), ...dates].flatMap(pricingOf);
  const hall = await hallCategories(
    db,
    dates.map(({ id }) => id),
  );
  const isDrawn = (name: string) =>
    hall.some(({ category, category_key }) => name === category || name === category_key);
  const others = pricing.map(({ category }) => category).filter((name) => !isDrawn(name));
  return {
    categories: [...new Set([...hall.map(({ category }) => category), ...others])],
    ticket_types: typesOf(pricing),
  };
}
