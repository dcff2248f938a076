/** Phases of list prices as a table: which one counts, what comes next, what stays ended. */
import { expect, test } from 'vitest';
import {
  followPrices,
  nextStep,
  phaseAt,
  phaseEnds,
  phasesOutOfOrder,
  pricingAt,
  turnsAfter,
  turnsKept,
  type PhaseEnd,
  type PhasedRow,
  type PricePhase,
} from '#server/domain/price/phase.ts';
import { stepWords, untilWords } from '#server/domain/price/phase-words.ts';
import { productNames } from '#server/domain/price/price-matrix.ts';

const hour = 3_600_000;
const starts_at = Date.UTC(2026, 11, 20, 20);
const day: PhaseEnd = { kind: 'day', at: Date.UTC(2026, 11, 9, 23) };
const hours: PhaseEnd = { kind: 'hours_before', hours: 2 };
const sold: PhaseEnd = { kind: 'sold', tickets: 100 };
const before = starts_at - 2 * hour;

const type = (ticketType: string, price_id: string) => ({ ticketType, price_id, label: 'Intero' });
const pricing = [
  { category: 'Platea', ticketTypes: [type('intero', 'last'), type('ridotto', 'less')] },
];

function phase(name: string, until: PhaseEnd): PricePhase {
  return { id: name, name, until, prices: { last: `${name}-price` } };
}

function rowOf(phases: readonly PricePhase[], turns: Record<string, number> | null): PhasedRow {
  return {
    starts_at,
    seat_pricing: JSON.stringify(pricing),
    price_phases: phases.length === 0 ? null : JSON.stringify(phases),
    phase_turns: turns && JSON.stringify(turns),
  };
}

const both = [phase('a', day), phase('b', hours)];
const counted = [phase('s', sold), phase('b', hours)];

test.each([
  ['none', [], null, 0, null],
  ['before its day', both, null, Date.UTC(2026, 11, 9, 22, 59), 'a'],
  ['from its day on the next one', both, null, Date.UTC(2026, 11, 9, 23), 'b'],
  ['until hours before the start', both, null, before - 1, 'b'],
  ['then the last price', both, null, before, null],
  ['so many are not sold yet', counted, null, before, 's'],
  ['they are, and it was told when', counted, { s: 5_000 }, 4_999, 's'],
  ['from that moment', counted, { s: 5_000 }, 5_000, 'b'],
  ['a later one that ended first never counts', [phase('b', hours), phase('a', day)], null, 0, 'b'],
] as const)('%s', (_, phases, turns, at, name) => {
  const row = rowOf(phases, turns);
  expect(phaseAt(row, at)?.name ?? null).toBe(name);
  const [full, reduced] = pricingAt(row, at)[0]!.ticketTypes;
  expect([full?.price_id, reduced?.price_id]).toEqual([
    name === null ? 'last' : `${name}-price`,
    'less',
  ]);
});

test('turns are the ends that are known, and the next prices are those after the present phase', () => {
  const row = rowOf([...counted, phase('a', day)], { s: 7 });
  expect(phaseEnds(row)).toEqual([7, before, day.kind === 'day' ? day.at : 0]);
  const next = (one: PhasedRow, now: number) => {
    const step = nextStep(one, now);
    return step && [step.until.kind, step.at, step.pricing[0]!.ticketTypes[0]!.price_id];
  };
  expect(next(rowOf(both, null), 0)).toEqual(['day', day.kind === 'day' ? day.at : 0, 'b-price']);
  expect(next(rowOf(both, null), before - 1)).toEqual(['hours_before', before, 'last']);
  expect(next(rowOf(counted, null), 0)).toEqual(['sold', null, 'b-price']);
  expect(next(rowOf(both, null), before)).toBeNull();
});

test('a number that was reached ends a phase for good, until the office ends it otherwise', () => {
  const row = rowOf(counted, null);
  expect(turnsAfter(row, { sold: 99, now: 1 })).toBeNull();
  const ended = { ...row, phase_turns: turnsAfter(row, { sold: 100, now: 2 }) };
  expect(ended.phase_turns).toBe('{"s":2}');
  expect(turnsAfter(ended, { sold: 5, now: 3 })).toBe('{"s":2}');
  expect(turnsAfter(ended, { sold: 101, now: 3 })).toBe('{"s":2}');
  const renamed = rowOf([{ ...phase('s', sold), name: 'x' }], null);
  expect(turnsKept(ended, renamed)).toBe('{"s":2}');
  expect(turnsKept(ended, rowOf([phase('s', { ...sold, tickets: 200 })], null))).toBeNull();
  expect(turnsKept(ended, rowOf([], null))).toBeNull();
});

test('a new last price of a cell keeps its earlier ones, whose names follow', () => {
  const to = [
    { category: 'Platea', ticketTypes: [type('intero', 'new'), type('ridotto', 'less')] },
  ];
  const [followed] = followPrices([phase('a', day)], { from: pricing, to });
  expect(followed?.prices).toEqual({ new: 'a-price' });
  expect(followPrices([phase('a', day)], { from: to, to })).toEqual([phase('a', day)]);
  const named = { title: 'Recital', seat_pricing: pricing, price_phases: both, fee_price_id: null };
  expect(productNames(named).get('b-price')).toBe('Recital · Platea, Intero (b)');
});

test('a phase that ends no later than one before it is out of order', () => {
  const later: PhaseEnd = { kind: 'sold', tickets: 200 };
  const of = (...ends: PhaseEnd[]) => phasesOutOfOrder(ends.map((until) => ({ until })));
  expect(of(day, sold, later, hours)).toEqual([]);
  expect(of(later, day, sold)).toEqual([2]);
  expect(of(day, day)).toEqual([1]);
  expect(of(hours, { kind: 'hours_before', hours: 3 })).toEqual([1]);
});

test('buyers and the office read when prices change', () => {
  const said = (until: PhaseEnd, at = 0) =>
    stepWords({ until, sold: at, from: 2_000, to: 2_500 }).replaceAll('\u00A0', ' ');
  expect([
    said(day),
    said({ kind: 'day', at: Date.UTC(2026, 11, 8, 17) }),
    said(hours),
    said({ kind: 'hours_before', hours: 1 }),
    said(sold, 88),
    said(sold, 99),
    said(sold, 20),
  ]).toEqual([
    'dal 10 dicembre 25,00 €',
    'dall’8 dicembre alle 18:00 a 25,00 €',
    'da 2 ore prima 25,00 €',
    'da 1 ora prima 25,00 €',
    'ancora 12 biglietti a 20,00 €, poi 25,00 €',
    'ancora 1 biglietto a 20,00 €, poi 25,00 €',
    'per i primi 100 biglietti, poi 25,00 €',
  ]);
  expect([day, hours, sold, { kind: 'sold', tickets: 1 } as const].map(untilWords)).toEqual([
    'fino al 9 dicembre compreso',
    'fino a 2 ore prima dell’inizio',
    'fino a 100 biglietti venduti',
    'fino al primo biglietto venduto',
  ]);
});
