/**
 * How an event's objects are sold whole: what a new event begins with, and what the office may
 * change later (RULES S8).
 */
import { isDeepStrictEqual } from 'node:util';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { EventRow } from '#db/rows.ts';
import { replaceHall } from '#db/seat/rehousings.ts';
import { placesInUse } from '#db/seat/seats.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { wholeTermsOf, type WholeTerms } from '#server/domain/event/whole-terms.ts';
import { wholeOffer } from '#server/domain/seat/whole.ts';
import type { Ctx } from '#server/services/context.ts';
import { chartOf, type Hall } from './chart.ts';
import { placesForBook, withLost } from './places.ts';
import { newEpoch } from './saving.ts';

type Terms = Pick<EventRow, 'whole_terms'>;

/** The terms of a new hall, whose tables are sold as its event at the seat map says. */
export function newTerms(wanted: Terms, { tables }: Pick<Hall, 'tables'>): string {
  return JSON.stringify({ ...(wholeTermsOf(wanted) ?? emptyForm.whole_terms), tables });
}

/** An event that was made before 1.2.0 keeps one place for each object sold whole. */
export function keptTerms(before: Terms, wanted: Terms): string | null {
  return before.whole_terms === null ? null : (wanted.whole_terms ?? before.whole_terms);
}

/** The hall after the change; `undo` puts the seat map back where the change was not stored. */
interface Resold {
  places: ReturnType<typeof placesForBook>;
  /** Returns the epoch with which phones take the whole list again. */
  store: (trx: Trx) => Promise<string>;
  undo: (error: unknown) => Promise<never>;
}

/**
 * Tells the seat map which tables are sold whole from now on. Null: every object keeps its places.
 * @throws Refusal whole_objects_fixed, provider_silent
 */
export async function changeWhole(
  ctx: Ctx,
  before: EventRow,
  whole_terms: string | null,
): Promise<Resold | null> {
  const then = wholeTermsOf({ whole_terms });
  const now = wholeTermsOf(before);
  if (then === null || now === null || isDeepStrictEqual(then, now)) return null;
  const key = before.seatsio_event_key;
  if (before.chart_key === null && (await chartOf(ctx, key)) === null) return null;
  const objects = await ctx.seats.objects(key);
  const hasOtherTables = !isDeepStrictEqual(then.tables, now.tables);
  const whole = hasOtherTables ? await tablesSoldWhole(ctx, before, then) : null;
  const changing = objects.filter(
    (object) =>
      (whole !== null && changesTable(object, whole)) ||
      wholeOffer(object, now)?.places !== wholeOffer(object, then)?.places,
  );
  requireUntouched(changing);
  if (hasOtherTables) await ctx.seats.setTables(key, then.tables);
  else if (changing.length === 0) return null;
  const places = placesForBook(
    ctx,
    { id: before.id, whole_terms },
    hasOtherTables ? await ctx.seats.objects(key) : objects,
  );
  return {
    places,
    store: (trx) => storeHall(trx, before.id, places),
    async undo(error) {
      if (hasOtherTables) await ctx.seats.setTables(key, now.tables);
      throw error;
    },
  };
}

/** The labels of the tables that these terms sell whole, as far as they are drawn so or named. */
async function tablesSoldWhole(
  ctx: Ctx,
  event: EventRow,
  { tables: { mode, tables = {} } }: WholeTerms,
): Promise<(label: string) => boolean> {
  if (mode === 'ALL_BY_TABLE' || mode === 'ALL_BY_SEAT') return () => mode === 'ALL_BY_TABLE';
  const chart_key = event.chart_key ?? (await chartOf(ctx, event.seatsio_event_key)) ?? '';
  const drawn = new Set(
    (await ctx.seats.chartObjects(chart_key)).flatMap(({ kind, label }) =>
      kind === 'table' ? [label] : [],
    ),
  );
  return (label) =>
    mode === 'CUSTOM' && Object.hasOwn(tables, label)
      ? tables[label] === 'BY_TABLE'
      : drawn.has(label);
}

function changesTable(
  { kind, label, at_table }: SeatObject,
  isWhole: (label: string) => boolean,
): boolean {
  return kind === 'table' ? !isWhole(label) : at_table !== null && isWhole(at_table);
}

/** @throws Refusal whole_objects_fixed naming what is held, kept or sold */
function requireUntouched(changing: readonly SeatObject[]): void {
  const fixed = changing.filter(({ status, channel }) => status !== 'free' || channel !== null);
  if (fixed.length > 0)
    throw new Refusal('whole_objects_fixed', { objects: fixed.map(({ label }) => label) });
}

/** @throws Refusal whole_objects_fixed if a place was sold since the seat map was read */
async function storeHall(
  trx: Trx,
  event_id: string,
  places: ReturnType<typeof placesForBook>,
): Promise<string> {
  const there = new Set(places.map(({ place }) => place));
  const gone = (await placesInUse(trx, event_id)).filter(({ place }) => !there.has(place));
  if (gone.length > 0)
    throw new Refusal('whole_objects_fixed', { objects: gone.map((one) => one.object_label) });
  await replaceHall(trx, event_id, await withLost(trx, places));
  return newEpoch();
}
