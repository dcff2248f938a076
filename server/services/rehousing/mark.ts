/** Marks the tickets for which a new hall has no place, so that the run refunds them (RULES H2). */
import { rehousedLines } from '#db/seat/rehousings.ts';
import type { RehousedLineRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { readWhole } from './house.ts';
import { plannedRehousing, storePlan, togetherWith } from './plan.ts';
import { rehousingInWords } from './words.ts';

interface MarkAsk {
  version: number;
  actor: Actor;
  line_ids: readonly string[];
  /** False takes the mark away. */ marked: boolean;
}

/**
 * Marks tickets without a place, which the run refunds. Refuses as the contract of
 * markForRefund says.
 */
export async function markForRefund(ctx: Ctx, event_id: string, ask: MarkAsk) {
  const row = await plannedRehousing(ctx, event_id, ask.version);
  const whole = await readWhole(ctx, row);
  const asked = new Set(ask.line_ids.flatMap((id) => togetherWith(whole.house, id)));
  const before = await rehousedLines(ctx.db, row);
  const named = before.filter(({ line_id }) => asked.has(line_id));
  if (named.length < asked.size) throw new Refusal('ticket_not_found');
  if (ask.marked) requireNoPlace(named, before);
  const refund_marked = ask.marked ? 1 : 0;
  const lines = before.map((line) =>
    asked.has(line.line_id) ? { ...line, refund_marked, locked: 0 as const } : line,
  ) as RehousedLineRow[];
  await storePlan(ctx, row, { actor: ask.actor, lines });
  return rehousingInWords(ctx, row.id, whole);
}

/**
 * An order has one ticket for the name of a place, also after that ended: no other ticket of it
 * may get the place of one that is refunded.
 * @throws Refusal bad_request, seats_not_free
 */
function requireNoPlace(named: readonly RehousedLineRow[], all: readonly RehousedLineRow[]): void {
  if (named.some(({ to_object }) => to_object !== null))
    throw new Refusal('bad_request', { fields: ['line_ids'] });
  const objects = named.flatMap(({ order_id, from_object }) =>
    all.some((one) => one.order_id === order_id && one.to_object === from_object)
      ? [from_object]
      : [],
  );
  if (objects.length > 0) throw new Refusal('seats_not_free', { objects });
}
