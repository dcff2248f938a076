/** The price rules that count for a date (RULES P6). */
import { rulesOfEvent } from '#db/event/price-rules.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';
import type { PriceRule, SaleChannel } from '#server/domain/price/rule.ts';
import {
  saleConventionsOf,
  saleRulesOf,
  type SaleConvention,
  type UsingSaleRule,
} from '#server/domain/price/sale-rule.ts';
import type { Ctx } from '#server/services/context.ts';

/** A rule from its row. */
export function ruleOfRow({ id, content }: Pick<PriceRuleRow, 'id' | 'content'>): PriceRule {
  return { ...(JSON.parse(content) as PriceRule), id };
}

export async function rulesNow(ctx: Pick<Ctx, 'db'>, event: EventRow): Promise<PriceRule[]> {
  return (await rulesOfEvent(ctx.db, event)).map(ruleOfRow);
}

/** The rules that lower prices now, for a page that reckons carts. */
export async function saleRulesNow(
  ctx: Pick<Ctx, 'db' | 'now'>,
  event: EventRow,
  channel: SaleChannel,
): Promise<UsingSaleRule[]> {
  return saleRulesOf(await rulesNow(ctx, event), { now: ctx.now(), channel });
}

/** The agreements from which a seller may choose now. */
export async function saleConventionsNow(
  ctx: Pick<Ctx, 'db' | 'now'>,
  event: EventRow,
  channel: SaleChannel,
): Promise<SaleConvention[]> {
  return saleConventionsOf(await rulesNow(ctx, event), { now: ctx.now(), channel });
}
