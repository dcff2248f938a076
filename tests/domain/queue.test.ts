/** The rules of the waiting room: phases, the draw, and how fast numbers are called. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashText } from '#server/domain/book/sha256.ts';
import { drawOrder, faultOfDraw, rootOf, type Entrant } from '#server/domain/queue/draw.ts';
import {
  autoTurn,
  countLatency,
  measuredPace,
  nextRate,
  noLatencies,
  p95Of,
  stepCounter,
  sumLatencies,
} from '#server/domain/queue/pace.ts';
import { queuePhaseOf, placeStateOf } from '#server/domain/queue/queue.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
const entrantsOf = (count: number, name = 'p'): Entrant[] =>
  Array.from({ length: count }, (_, n) => [hash(`${name} ${n}`), hash(`nonce ${n}`).slice(0, 22)]);

test.each([
  ['off', { mode: 'off', opened_at: 5, paused: false, closed: false }],
  ['before', { mode: 'on', opened_at: null, paused: true, closed: false }],
  ['off', { mode: 'auto', opened_at: null, paused: false, closed: false }],
  ['open', { mode: 'auto', opened_at: 5, paused: false, closed: false }],
  ['paused', { mode: 'on', opened_at: 5, paused: true, closed: false }],
  ['closed', { mode: 'on', opened_at: 5, paused: true, closed: true }],
] as const)('a room is %s', (phase, facts) => {
  expect(queuePhaseOf(facts)).toBe(phase);
});

test('a turn that nobody takes is over after its minutes, one with an order is done', () => {
  const waiting = { called_at: null, pass_until: null, done_at: null };
  const called = { ...waiting, called_at: 1_000 };
  const at = (now: number) => ({ minutes: 10, now });
  expect(placeStateOf(waiting, at(9e9))).toBe('waiting');
  expect(placeStateOf(called, at(600_999))).toBe('called');
  expect(placeStateOf(called, at(601_000))).toBe('expired');
  expect(placeStateOf({ ...called, pass_until: 700_000 }, at(699_999))).toBe('inside');
  expect(placeStateOf({ ...called, pass_until: 700_000 }, at(700_000))).toBe('expired');
  expect(placeStateOf({ ...called, pass_until: 1, done_at: 1 }, at(2))).toBe('done');
});

test('the draw is the same for whoever works it out, with the hash of a browser and of the server', () => {
  const entrants = entrantsOf(500);
  const seed = hash('seed');
  const root = rootOf(entrants, hash);
  expect(rootOf(entrants, hashText)).toBe(root);
  const order = drawOrder({ seed, root, entrants }, hash);
  expect(drawOrder({ seed, root, entrants })).toEqual(order);
  expect(order.toSorted()).toEqual(entrants.map(([place]) => place).toSorted());
  expect(order).not.toEqual(entrants.map(([place]) => place));
});

test('one nonce more or less, and the whole order is another', () => {
  const entrants = entrantsOf(200);
  const other = entrants.with(17, [entrants[17]![0], hash('mine').slice(0, 22)]);
  const draw = (list: Entrant[]) =>
    drawOrder({ seed: hash('seed'), root: rootOf(list, hash), entrants: list }, hash);
  const [before, after] = [draw(entrants), draw(other)];
  expect(before.filter((place, n) => after[n] === place).length).toBeLessThan(10);
});

test('a seed that was not promised, and a list with one entrant more, are found', () => {
  const entrants = entrantsOf(20);
  const seed = hash('seed');
  const draw = { seed_hash: hash(seed), seed, root: rootOf(entrants, hash), entrants };
  expect(faultOfDraw(draw)).toBeNull();
  expect(faultOfDraw({ ...draw, seed: hash('better') })).toBe('seed');
  expect(faultOfDraw({ ...draw, entrants: [...entrants, ...entrantsOf(1, 'q')] })).toBe('root');
  const twice = [...entrants, entrants[0]!];
  expect(faultOfDraw({ ...draw, entrants: twice, root: rootOf(twice) })).toBe('twice');
});

test('the order says nothing about who came first: χ² over 20,000 entrants', () => {
  const entrants = entrantsOf(20_000);
  const root = rootOf(entrants, hash);
  const arrival = new Map(entrants.map(([place], n) => [place, n]));
  const order = drawOrder({ seed: hash('s'), root, entrants }, hash);
  const cells = Array.from({ length: 400 }, () => 0);
  for (const [n, place] of order.entries())
    cells[Math.floor(arrival.get(place)! / 1_000) * 20 + Math.floor(n / 1_000)]! += 1;
  const chi = cells.reduce((sum, count) => sum + (count - 50) ** 2 / 50, 0);
  // 19 × 19 degrees of freedom: mean 361, deviation 27.
  expect(chi).toBeGreaterThan(361 - 5 * 27);
  expect(chi).toBeLessThan(361 + 5 * 27);
});

test.each([
  [60, 1_000],
  [250, 1_000],
  [7, 400],
  [6_000, 1_100],
])('%i a minute are called in a minute, looked at every %i ms', (per_minute, elapsedMs) => {
  let counter = { serving: 0, credit: 0 };
  for (let at = 0; at < 600_000; at += elapsedMs)
    counter = stepCounter(counter, { per_minute, elapsedMs, last: 1e6, room: 1e6 });
  expect(Math.abs(counter.serving / (per_minute * 10) - 1)).toBeLessThan(0.02);
});

test('nobody is called beyond the last number or a full house, and nothing of it is made up for later', () => {
  const step = { per_minute: 6_000, elapsedMs: 1_000, last: 10, room: 1e6 };
  const empty = stepCounter({ serving: 10, credit: 0 }, step);
  expect(empty).toEqual({ serving: 10, credit: 0 });
  expect(stepCounter({ serving: 0, credit: 0 }, { ...step, room: 3 })).toEqual({
    serving: 3,
    credit: 0,
  });
  const stopped = stepCounter({ serving: 0, credit: 0 }, { ...step, elapsedMs: 1e9, last: 1e6 });
  expect(stopped.serving).toBe(500);
  expect(stepCounter({ serving: 4, credit: 0 }, { ...step, room: -2 }).serving).toBe(4);
});

test('the rate climbs while people wait, and halves when bookings take too long', () => {
  const slow = Array.from({ length: 100 }, () => 900).reduce(countLatency, noLatencies);
  const quick = Array.from({ length: 100 }, () => 90).reduce(countLatency, noLatencies);
  expect(p95Of(quick)).toBe(100);
  expect(p95Of(sumLatencies([quick, slow]))).toBe(1_200);
  expect(p95Of(countLatency(noLatencies, 9e9))).toBeNull();
  const { first, more, least } = measuredPace;
  expect(nextRate(first, { p95: 100, waiting: true })).toBe(first + more);
  expect(nextRate(first, { p95: 100, waiting: false })).toBe(first);
  expect(nextRate(first, { p95: 1_200, waiting: true })).toBe(first / 2);
  expect(nextRate(least, { p95: 1_200, waiting: true })).toBe(least);
});

test('against a house that bears 300 a minute the measured rate stays near it', () => {
  let rate: number = measuredPace.first;
  const rates = Array.from({ length: 400 }, () => {
    rate = nextRate(rate, { p95: rate > 300 ? 2_000 : 200, waiting: true });
    return rate;
  }).slice(50);
  expect(Math.max(...rates)).toBeLessThanOrEqual(310);
  const mean = rates.reduce((sum, one) => sum + one, 0) / rates.length;
  expect(mean).toBeGreaterThan(200);
});

test('a room comes by itself under load, and goes when nobody waits and nothing was slow for five minutes', () => {
  const quiet = { isOpen: false, p95: 100, waiting: false, slowAt: null, now: 0 };
  expect(autoTurn(quiet)).toBeNull();
  expect(autoTurn({ ...quiet, p95: 1_200 })).toBe('open');
  const open = { ...quiet, isOpen: true, slowAt: 0, now: 299_999 };
  expect(autoTurn(open)).toBeNull();
  expect(autoTurn({ ...open, now: 300_000 })).toBe('end');
  expect(autoTurn({ ...open, now: 300_000, waiting: true })).toBeNull();
});
