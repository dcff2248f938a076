/** Price rules of the house, of shows and of dates in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import { selectRows } from '#db/engine/statements.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';

/** The rules that count for a date: its own, its show's and the house's, oldest first. */
export async function rulesOfEvent(
  db: Db,
  { id, show_id }: Pick<EventRow, 'id' | 'show_id'>,
): Promise<PriceRuleRow[]> {
  return selectRows<PriceRuleRow>(
    db,
    `SELECT * FROM price_rules WHERE ended_at IS NULL
      AND (event_id = ? OR show_id = ? OR (event_id IS NULL AND show_id IS NULL)) ORDER BY created_at, id`,
    [id, show_id],
  );
}
