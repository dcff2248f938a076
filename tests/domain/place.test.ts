/** What is told about a place: what a buyer must know of it, how one comes to it, and where the house is. */
import { expect, test } from 'vitest';
import { venueWords } from '#server/domain/event/event.ts';
import { seatAndWayIn, wayInWords } from '#server/domain/door/gate.ts';
import { noticeKinds, noticesAbout, traitsOf } from '#server/domain/seat/notices.ts';

test('a place is known by what the drawing says of it', () => {
  const plain = {
    kind: 'seat',
    restricted_view: false,
    accessible: false,
    companion: false,
  } as const;
  expect([
    traitsOf(plain),
    traitsOf({ ...plain, kind: 'area' }),
    traitsOf({ ...plain, restricted_view: true, companion: true }),
    traitsOf({ ...plain, accessible: true }),
  ]).toEqual([[], ['unnumbered'], ['restricted_view', 'companion'], ['accessible']]);
});

test('every notice has its sentences, and only those that are asked for are told', () => {
  const all = noticesAbout(new Set(noticeKinds));
  expect(all.map(({ about }) => about)).toEqual([...noticeKinds]);
  for (const { hall, chosen } of all)
    for (const sentence of [hall, chosen]) expect(sentence).toMatch(/^\p{Lu}.{20,}\.$/u);
  expect(noticesAbout(new Set(['companion'])).map(({ about }) => about)).toEqual(['companion']);
});

test.each([
  [null, null, null],
  ['Varco B', null, 'Ingresso: Varco B'],
  [null, 'Ingresso platea', 'Ingresso platea'],
  [null, 'Scala palchi', 'Ingresso: Scala palchi'],
  ['Varco B', 'Scala palchi', 'Ingresso: Varco B · Scala palchi'],
  ['Ingresso platea', 'ingresso  Platea', 'Ingresso platea'],
])('gate %s, entrance %s: %s', (gate, entrance, words) => {
  expect(wayInWords({ gate, entrance })).toBe(words);
});

test('in a line the way in stands behind the seat, and the house with its street', () => {
  expect([
    seatAndWayIn('Palco 3, posto 2', { gate: null, entrance: 'Scala palchi', remarks: [] }),
    seatAndWayIn('Palco 3, posto 2', {
      gate: null,
      entrance: null,
      remarks: ['visibilità limitata'],
    }),
    venueWords({ venue_title: 'Teatro Goldoni', venue_address: 'Corte del Teatro 4, Venezia' }),
    venueWords({ venue_title: 'Teatro Goldoni', venue_address: null }),
  ]).toEqual([
    'Palco 3, posto 2 – ingresso: Scala palchi',
    'Palco 3, posto 2 (visibilità limitata)',
    'Teatro Goldoni, Corte del Teatro 4, Venezia',
    'Teatro Goldoni',
  ]);
});
