/** Phases of list prices of an event: when one has ended, and what buyers read of the next one. */
import type { PricedPer } from '#server/domain/price/price-bounds.ts';
import { countSoldPlaces } from '#db/event/rule-desk.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow, setPhaseTurns } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { countsSales, nextStep, turnsAfter, turnsKept } from '#server/domain/price/phase.ts';
import { stepWords } from '#server/domain/price/phase-words.ts';
import {
  fullPriceOf,
  priceOf,
  sellable,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import type { SoldSurcharge } from '#server/domain/price/surcharge.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { pricesOf } from './prices.ts';

/**
 * Ends phases that last until so many tickets are sold. Call it in the transaction that sells, with
 * the event's row locked, so that no other sale counts at the same time.
 */
export async function turnPhases(ctx: Ctx, trx: Trx, id: string): Promise<void> {
  const event = await requireEventRow(trx, id);
  const sold = await countSoldPlaces(trx, [id]);
  const phase_turns = turnsAfter(event, { sold, now: ctx.now() });
  if (phase_turns !== event.phase_turns) await setPhaseTurns(trx, id, phase_turns);
}

/**
 * The column `phase_turns` of a date that is being saved: what its phases of today have reached.
 * Call it with the event's row locked.
 */
export async function savedTurns(
  ctx: Ctx,
  trx: Trx,
  { id, columns }: { id: string; columns: Pick<EventRow, 'price_phases'> },
): Promise<Pick<EventRow, 'phase_turns'>> {
  const now = await requireEventRow(trx, id);
  const { price_phases } = columns;
  const saved = { ...now, price_phases, phase_turns: turnsKept(now, columns) };
  if (!countsSales(saved)) return { phase_turns: saved.phase_turns };
  const sold = await countSoldPlaces(trx, [id]);
  return { phase_turns: turnsAfter(saved, { sold, now: ctx.now() }) };
}

/** Counted for every answer of the event page, so an answer may be a second old. */
const sharedSold = memo<number>({ freshMs: 1_000 });

interface Shown {
  at: number;
  /** What the page shows at that moment. */
  pricing: readonly PricedCategory[];
  surcharges: readonly SoldSurcharge[];
  whole_objects: readonly { category: string; places: number; price_per: PricedPer }[];
}

/** What becomes of each shown price; a price that stays, or is not known yet, is left out. */
export async function nextPrices(
  ctx: Ctx,
  event: EventRow,
  { at, pricing, surcharges, ...shown }: Shown,
) {
  const step = nextStep(event, at);
  const closes = event.sales_closes_at ?? event.starts_at;
  if (step === null || (step.at ?? at) >= closes) return [];
  const prices = await pricesOf(ctx, step.pricing).catch(() => []);
  const next = sellable(step.pricing, prices, surcharges);
  const sold = step.until.kind === 'sold' ? await soldPlaces(ctx, event.id) : 0;
  return pricing.flatMap(({ category, ticketTypes }) => {
    const whole = shown.whole_objects.find((one) => one.category === category);
    const per = whole?.price_per;
    const cents = (type: Parameters<typeof fullPriceOf>[0]) =>
      fullPriceOf(type, { places: per === 'object' ? (whole?.places ?? 1) : 1, per });
    return ticketTypes.flatMap((type) => {
      const { ticketType } = type;
      const then = priceOf(next, { key: category, label: category }, ticketType);
      if (then === null || cents(then) === cents(type)) return [];
      const words = stepWords({ until: step.until, sold, from: cents(type), to: cents(then) });
      return [{ category, ticketType, words }];
    });
  });
}

function soldPlaces(ctx: Ctx, id: string): Promise<number> {
  const ask = () => countSoldPlaces(ctx.db, [id]);
  return sharedSold.get(ctx.db, { key: id, now: ctx.now, ask });
}
