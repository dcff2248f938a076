/** The price rules that count for a date (RULES P6). */
import { rulesOfEvent } from '#db/event/price-rules.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';
import type { PriceRule } from '#server/domain/price/rule.ts';
import type { Ctx } from '#server/services/context.ts';

/** A rule from its row. */
export function ruleOfRow({ id, content }: Pick<PriceRuleRow, 'id' | 'content'>): PriceRule {
  return { ...(JSON.parse(content) as PriceRule), id };
}

export async function rulesNow(ctx: Pick<Ctx, 'db'>, event: EventRow): Promise<PriceRule[]> {
  return (await rulesOfEvent(ctx.db, event)).map(ruleOfRow);
}
