/** Price rules of the house, of shows and of dates in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import { selectRows } from '#db/engine/statements.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';
import type { PriceRule } from '#server/domain/price/rule.ts';

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

/** The rules that count for a date, or did so since a moment, oldest first. */
export async function rulesSince(
  db: Db,
  { id, show_id }: Pick<EventRow, 'id' | 'show_id'>,
  since: number,
): Promise<PriceRuleRow[]> {
  return selectRows<PriceRuleRow>(
    db,
    `SELECT * FROM price_rules WHERE (ended_at IS NULL OR ended_at > ?)
      AND (event_id = ? OR show_id = ? OR (event_id IS NULL AND show_id IS NULL)) ORDER BY created_at, id`,
    [since, id, show_id],
  );
}

/** What changes with every change of a date's row or of the rules that count for it. */
export interface EventMark extends EventRow {
  rules_made: number;
  rules_ended: number;
}

/** One statement, because it is asked for every answer of the event page. */
export async function findEventMark(db: Db, id: string): Promise<EventMark | undefined> {
  const rules = `FROM price_rules r WHERE r.event_id = events.id OR r.show_id = events.show_id
    OR (r.event_id IS NULL AND r.show_id IS NULL)`;
  const [event] = await selectRows<EventMark>(
    db,
    `SELECT events.*, (SELECT COUNT(*) ${rules}) AS rules_made,
      (SELECT COUNT(r.ended_at) ${rules}) AS rules_ended FROM events WHERE id = ?`,
    [id],
  );
  return event;
}

/** The moments at which a rule of this date begins or ends. */
export async function turnsOfRules(
  db: Db,
  event: Pick<EventRow, 'id' | 'show_id'>,
): Promise<number[]> {
  const rules = await rulesOfEvent(db, event);
  return rules
    .map(({ content }) => JSON.parse(content) as PriceRule)
    .flatMap(({ scope }) => [scope.from, scope.until])
    .filter((at) => at !== null);
}
