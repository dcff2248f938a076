/** One state for a place, out of three books that may disagree. */
import { expect, test } from 'vitest';
import {
  areaStateOf,
  countCategories,
  isUnguarded,
  seatStateOf,
  type SeatFacts,
} from '#server/domain/seat/seat-state.ts';

const nothing: SeatFacts = { order: null, ticket: null, inside: false, map: null };
const map = (status: string, for_sale = true) => ({ status, for_sale });

test('our own books come before the seat map', () => {
  for (const told of [
    null,
    map('free'),
    map('booked'),
    map('reservedByToken'),
    map('booked', false),
  ]) {
    expect([
      told,
      seatStateOf({ ...nothing, order: 'confirmed', ticket: 'valid', map: told }),
    ]).toEqual([told, 'sold']);
    expect([
      told,
      seatStateOf({ ...nothing, order: 'confirmed', ticket: 'valid', inside: true, map: told }),
    ]).toEqual([told, 'inside']);
    expect([told, seatStateOf({ ...nothing, order: 'awaiting_payment', map: told })]).toEqual([
      told,
      'paying',
    ]);
    expect([
      told,
      seatStateOf({ ...nothing, order: 'confirmed', ticket: 'void', map: told }),
    ]).toEqual([told, 'blocked']);
  }
});

test('without an order of ours the seat map decides', () => {
  const states = [
    null,
    map('free'),
    map('reservedByToken'),
    map('free', false),
    map('booked'),
    map('riservato'),
  ].map((told) => seatStateOf({ ...nothing, map: told }));
  expect(states).toEqual(['free', 'free', 'held', 'blocked', 'blocked', 'blocked']);
});

test('only a sold seat that the map gives away is unguarded', () => {
  expect(isUnguarded('sold', null)).toBe(true);
  expect(isUnguarded('inside', map('free'))).toBe(true);
  expect(isUnguarded('sold', map('reservedByToken'))).toBe(true);
  expect(isUnguarded('sold', map('booked'))).toBe(false);
  expect(isUnguarded('paying', null)).toBe(false);
});

test('a standing area’s places beyond our own are somebody else’s', () => {
  expect(areaStateOf({ booked: 8, held: 4, closed: 2 }, 3)).toEqual({ held: 4, blocked: 7 });
  // An order that is stored but not booked yet there.
  expect(areaStateOf({ booked: 0, held: 0, closed: 0 }, 3)).toEqual({ held: 0, blocked: 0 });
});

test('the figures of a category always add up to its places', () => {
  const place = (state: 'free' | 'sold' | 'inside' | 'paying', price_cents = 0) => ({
    category: 'Galleria',
    state,
    price_cents,
  });
  const [count] = countCategories(
    [
      place('free'),
      place('free'),
      place('sold', 1_000),
      place('inside', 1_500),
      place('paying', 9_900),
    ],
    [
      { category: 'Galleria', held: 1, blocked: 5 },
      { category: 'Nessuna', held: 9, blocked: 9 },
    ],
  );
  expect(count).toEqual({
    category: 'Galleria',
    places: 5,
    free: 0,
    held: 1,
    paying: 1,
    sold: 1,
    inside: 1,
    blocked: 1,
    income_cents: 2_500,
  });
});
