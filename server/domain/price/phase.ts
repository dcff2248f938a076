/**
 * Phases of list prices: what an event costs before its last prices, each phase until a day, some
 * hours before the start, or a number of sold tickets (RULES P8).
 */
import { pricingOf, type CategoryPricing } from './pricing.ts';

export const phaseEndKinds = ['day', 'hours_before', 'sold'] as const;
export type PhaseEndKind = (typeof phaseEndKinds)[number];

/** `at`: the first moment of the next phase. */
export type PhaseEnd =
  | { kind: 'day'; at: number }
  | { kind: 'hours_before'; hours: number }
  | { kind: 'sold'; tickets: number };

export interface PricePhase {
  id: string;
  /** Italian, as buyers and the office read it: "Prevendita anticipata". */
  name: string;
  until: PhaseEnd;
  /** The phase's price for each last price that it changes; both are price ids. */
  prices: Readonly<Record<string, string>>;
}

/** The columns of an event that say what it costs when. */
export interface PhasedRow {
  seat_pricing: string;
  price_phases: string | null;
  phase_turns: string | null;
  starts_at: number;
}

/** When phases ended that last until so many tickets are sold, by their id. */
type PhaseTurns = Readonly<Record<string, number>>;

export function phasesOf({ price_phases }: Pick<PhasedRow, 'price_phases'>): PricePhase[] {
  return price_phases === null ? [] : (JSON.parse(price_phases) as PricePhase[]);
}

function turnsIn({ phase_turns }: Pick<PhasedRow, 'phase_turns'>): PhaseTurns {
  return phase_turns === null ? {} : (JSON.parse(phase_turns) as PhaseTurns);
}

const hourMs = 3_600_000;

/** The moment at which a phase ends; Infinity: so many tickets are not sold yet. */
function endOf({ id, until }: PricePhase, row: PhasedRow): number {
  if (until.kind === 'day') return until.at;
  if (until.kind === 'hours_before') return row.starts_at - until.hours * hourMs;
  return turnsIn(row)[id] ?? Infinity;
}

/** The moments at which phases of an event end, as far as they are known. */
export function phaseEnds(row: PhasedRow): number[] {
  return phasesOf(row)
    .map((phase) => endOf(phase, row))
    .filter((end) => end !== Infinity);
}

/** The first phase that has not ended at a moment; null: the last prices count. */
export function phaseAt(row: PhasedRow, at: number): PricePhase | null {
  return phasesOf(row).find((phase) => endOf(phase, row) > at) ?? null;
}

/** The pricing with the prices of a phase. */
export function pricingInPhase(
  pricing: readonly CategoryPricing[],
  phase: Pick<PricePhase, 'prices'> | null,
): CategoryPricing[] {
  return pricing.map((entry) => ({
    ...entry,
    ticketTypes: entry.ticketTypes.map((type) => ({
      ...type,
      price_id: phase?.prices[type.price_id] ?? type.price_id,
    })),
  }));
}

/** What an event sells at a moment. */
export function pricingAt(row: PhasedRow, at: number): CategoryPricing[] {
  return pricingInPhase(pricingOf(row), phaseAt(row, at));
}

interface Priced {
  seat_pricing: readonly CategoryPricing[];
  price_phases: readonly PricePhase[] | null;
}

/** A row of an event or a show with what its columns of prices say. */
export function pricedOf<Row extends Pick<PhasedRow, 'seat_pricing' | 'price_phases'>>(row: Row) {
  return { ...row, seat_pricing: pricingOf(row), price_phases: phasesOf(row) };
}

/** The last pricing, then that of each phase. */
export function everyPricing({ seat_pricing, price_phases }: Priced): CategoryPricing[] {
  const early = (price_phases ?? []).flatMap((phase) => pricingInPhase(seat_pricing, phase));
  return [...seat_pricing, ...early];
}

interface PhaseStep {
  until: PhaseEnd;
  /** When the next prices begin; null: when so many tickets are sold. */
  at: number | null;
  pricing: CategoryPricing[];
}

/** How the prices of a moment end, and what an event sells after that; null: nothing follows. */
export function nextStep(row: PhasedRow, now: number): PhaseStep | null {
  const phase = phaseAt(row, now);
  if (phase === null) return null;
  const end = endOf(phase, row);
  const from = end === Infinity ? now : end;
  const next = phasesOf(row).find((one) => one.id !== phase.id && endOf(one, row) > from);
  return {
    until: phase.until,
    at: end === Infinity ? null : end,
    pricing: pricingInPhase(pricingOf(row), next ?? null),
  };
}

/** Whether sales must be counted: a phase waits for a number of sold tickets. */
export function countsSales(row: PhasedRow): boolean {
  return phasesOf(row).some(({ id, until }) => until.kind === 'sold' && !(id in turnsIn(row)));
}

/**
 * The column `phase_turns` after a count of sold tickets. A phase that has ended stays ended, also
 * when tickets come back.
 */
export function turnsAfter(row: PhasedRow, { sold, now }: { sold: number; now: number }) {
  const turns = { ...turnsIn(row) };
  for (const { id, until } of phasesOf(row))
    if (until.kind === 'sold' && sold >= until.tickets) turns[id] ??= now;
  return Object.keys(turns).length === 0 ? null : JSON.stringify(turns);
}

/** The column `phase_turns` without phases that are gone or end otherwise now. */
export function turnsKept(before: PhasedRow, after: Pick<PhasedRow, 'price_phases'>) {
  const endsOf = (row: Pick<PhasedRow, 'price_phases'>) =>
    new Map(phasesOf(row).map(({ id, until }) => [id, JSON.stringify(until)]));
  const [old, fresh] = [endsOf(before), endsOf(after)];
  const kept = Object.entries(turnsIn(before)).filter(
    ([id]) => fresh.has(id) && old.get(id) === fresh.get(id),
  );
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept));
}

/** The phases after last prices have changed: each change keeps its cell's earlier prices. */
export function followPrices(
  phases: readonly PricePhase[],
  { from, to }: { from: readonly CategoryPricing[]; to: readonly CategoryPricing[] },
): PricePhase[] {
  const cells = (pricing: readonly CategoryPricing[]) =>
    pricing.flatMap(({ category, ticketTypes }) =>
      ticketTypes.map(({ ticketType, price_id }) => ({
        name: JSON.stringify([category, ticketType]),
        price_id,
      })),
    );
  const old = new Map(cells(from).map(({ name, price_id }) => [name, price_id]));
  const changed = cells(to).flatMap(({ name, price_id }) => {
    const before = old.get(name);
    return before === undefined || before === price_id ? [] : [{ before, price_id }];
  });
  const sold = new Set(cells(to).map(({ price_id }) => price_id));
  return phases.map((phase) => {
    const prices = { ...phase.prices };
    for (const { before, price_id } of changed) {
      const early = phase.prices[before];
      if (early !== undefined) prices[price_id] ??= early;
      if (!sold.has(before)) delete prices[before];
    }
    return { ...phase, prices };
  });
}

/** The phases that could never count, because one before them ends no earlier; by position. */
export function phasesOutOfOrder(phases: readonly Pick<PricePhase, 'until'>[]): number[] {
  return [...phases.keys()].filter((at) =>
    phases.slice(0, at).some((before) => endsNoEarlier(before.until, phases[at]?.until)),
  );
}

function endsNoEarlier(before: PhaseEnd, after: PhaseEnd | undefined): boolean {
  if (before.kind === 'day' && after?.kind === 'day') return before.at >= after.at;
  if (before.kind === 'sold' && after?.kind === 'sold') return before.tickets >= after.tickets;
  if (before.kind !== 'hours_before' || after?.kind !== 'hours_before') return false;
  return before.hours <= after.hours;
}
