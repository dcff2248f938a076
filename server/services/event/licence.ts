/** How many people the drawing of an event's hall allows, beside which those inside are shown. */
import { setLicensed } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';

/** Takes the number over from the drawing; where that cannot be read now, the known one stays. */
export async function noteLicence(
  ctx: Ctx,
  { id, chart_key, licensed }: Pick<EventRow, 'id' | 'chart_key' | 'licensed'>,
): Promise<void> {
  try {
    const drawn = chart_key === null ? null : licenceIn(await ctx.charts.drawing(chart_key));
    if (drawn !== licensed) await setLicensed(ctx.db, id, drawn);
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof Refusal)) throw error;
    ctx.log.warn({ err: error, event_id: id }, 'the drawing was not asked for its licence');
  }
}

/** Null: the drawing does not say, as those of seats.io do not. */
function licenceIn(drawing: unknown): number | null {
  const told = (drawing as { x_licensedCapacity?: unknown } | null)?.x_licensedCapacity;
  return typeof told === 'number' && Number.isInteger(told) && told > 0 && told < 1e9 ? told : null;
}
