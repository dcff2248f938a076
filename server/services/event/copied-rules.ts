/** Price rules of an event for a copy of it (RULES E2, P6). */
import type { Trx } from '#db/engine/dialect.ts';
import { rulesOfEvent } from '#db/event/price-rules.ts';
import { insertRule } from '#db/event/rule-desk.ts';
import type { EventRow } from '#db/rows.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { ruleOfRow } from './price-rules.ts';

interface Copied {
  from: Pick<EventRow, 'id' | 'show_id'>;
  /** Without a show, the copy begins one of its own. */
  to: { id: string; show_id?: string | undefined };
  by: Actor;
}

/**
 * Gives a copy the date's rules, and in another show also those of the show that it leaves; rules
 * whose last day is over stay behind.
 */
export async function copyRules(ctx: Ctx, trx: Trx, { from, to, by }: Copied): Promise<void> {
  const leaves = from.show_id !== null && from.show_id !== to.show_id;
  const rows = (await rulesOfEvent(trx, from)).filter((row) => {
    const { until } = ruleOfRow(row).scope;
    const isOwn = row.event_id !== null || (leaves && row.show_id !== null);
    return isOwn && (until === null || until > ctx.now());
  });
  for (const { content } of rows)
    await insertRule(trx, {
      id: ctx.newId(),
      event_id: to.id,
      show_id: null,
      content,
      created_at: ctx.now(),
      created_by: by,
      ended_at: null,
    });
}
