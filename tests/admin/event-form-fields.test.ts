/**
 * What the event form reads from its fields: hours of Rome in the nights of the clock change,
 * addresses, links, the square of a picture.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf, noTime, readWallTime, wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';
import { slugFault, suggestSlug } from '#apps/admin/event/form/slug.ts';
import {
  middleCrop,
  moveCrop,
  placeCrop,
  placeOf,
  sharesOf,
  smallestSize,
  zoomCrop,
  type Crop,
} from '#apps/admin/event/form/picture-crop.ts';
import { readLink } from '#apps/admin/kit/form/rich-text-link.ts';

const at = (date: string, time: string, second = false) => ({ date, time, second });

test('an hour of Rome is the instant that a clock there shows, in summer and in winter', () => {
  expect(readWallTime(at('2026-11-21', '21:00'))).toEqual({
    kind: 'once',
    at: Date.parse('2026-11-21T20:00:00Z'),
  });
  expect(readWallTime(at('2026-07-21', '21:00'))).toEqual({
    kind: 'once',
    at: Date.parse('2026-07-21T19:00:00Z'),
  });
});

test('the night when the clocks go forward has no half past two', () => {
  expect(readWallTime(at('2026-03-29', '01:59'))).toEqual({
    kind: 'once',
    at: Date.parse('2026-03-29T00:59:00Z'),
  });
  expect(readWallTime(at('2026-03-29', '02:00'))).toEqual({ kind: 'skipped' });
  expect(readWallTime(at('2026-03-29', '02:30'))).toEqual({ kind: 'skipped' });
  expect(readWallTime(at('2026-03-29', '03:00'))).toEqual({
    kind: 'once',
    at: Date.parse('2026-03-29T01:00:00Z'),
  });
});

test('the night when the clocks go back has half past two twice, and each can be meant', () => {
  expect(readWallTime(at('2026-10-25', '02:30'))).toEqual({
    kind: 'twice',
    at: Date.parse('2026-10-25T00:30:00Z'),
  });
  expect(readWallTime(at('2026-10-25', '02:30', true))).toEqual({
    kind: 'twice',
    at: Date.parse('2026-10-25T01:30:00Z'),
  });
  expect(readWallTime(at('2026-10-25', '03:00'))).toEqual({
    kind: 'once',
    at: Date.parse('2026-10-25T02:00:00Z'),
  });
  expect(wallTimeOf('2026-10-25T00:30:00.000Z')).toEqual(at('2026-10-25', '02:30'));
  expect(wallTimeOf('2026-10-25T01:30:00.000Z')).toEqual(at('2026-10-25', '02:30', true));
});

test('empty fields mean no time, half-filled ones are told apart from it', () => {
  expect(readWallTime(noTime)).toEqual({ kind: 'empty' });
  expect(wallTimeOf(null)).toEqual(noTime);
  for (const half of [
    at('2026-11-21', ''),
    at('', '21:00'),
    at('0202-11-21', '21:00'),
    at('2026-02-30', '21:00'),
  ])
    expect(readWallTime(half)).toEqual({ kind: 'half' });
});

test('every minute of three years comes back from its fields as itself', () => {
  const first = Date.UTC(2026, 0, 1) / 60_000;
  const last = Date.UTC(2029, 0, 1) / 60_000;
  const nights = ['2026-10-24T22:00Z', '2027-03-27T23:00Z', '2028-10-28T22:00Z'].map(
    (iso) => Date.parse(iso) / 60_000,
  );
  const minute = fc.oneof(
    fc.integer({ min: first, max: last }),
    ...nights.map((night) => fc.integer({ min: night, max: night + 300 })),
  );
  fc.assert(
    fc.property(
      minute,
      (n) => instantOf(wallTimeOf(new Date(n * 60_000).toISOString())) === n * 60_000,
    ),
    { numRuns: 2000 },
  );
});

test('an address is suggested from the title without accents, apostrophes and signs', () => {
  expect(suggestSlug('L’elisir d’amore – Prima')).toBe('l-elisir-d-amore-prima');
  expect(suggestSlug('  Perché NO? (2ª replica) ')).toBe('perche-no-2a-replica');
  expect(suggestSlug('«»')).toBe('');
  expect(
    suggestSlug('Concerto di Capodanno con l’orchestra sinfonica della città di Bologna'),
  ).toBe('concerto-di-capodanno-con-l-orchestra-sinfonica-della-citta');
});

test('whatever the title, the suggestion is empty or what the server takes', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (title) => {
      const slug = suggestSlug(title);
      return slug === '' || slugFault(slug) === null;
    }),
    { numRuns: 1000 },
  );
  for (const bad of [
    '',
    'Concerto',
    'due--trattini',
    '-prima',
    'dopo-',
    'a b',
    '../x',
    'è',
    'x'.repeat(61),
  ])
    expect(slugFault(bad), bad).not.toBeNull();
});

test('a link is an address of the web or of mail, and nothing that runs', () => {
  expect(readLink('www.teatro.it')).toBe('https://www.teatro.it/');
  expect(readLink(' http://teatro.it/stagione?x=1 ')).toBe('http://teatro.it/stagione?x=1');
  expect(readLink('teatro.it:8080/x')).toBe('https://teatro.it:8080/x');
  expect(readLink('info@teatro.it')).toBe('mailto:info@teatro.it');
  expect(readLink('mailto:info@teatro.it')).toBe('mailto:info@teatro.it');
  for (const bad of [
    '',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'teatro',
    'due parole.it',
    'file:///etc/passwd',
    'mailto:',
  ])
    expect(readLink(bad), bad).toBeNull();
});

test('a square that is moved and enlarged at will stays inside its picture', () => {
  const step = fc.oneof(
    fc.record({
      move: fc.record({
        dx: fc.double({ min: -3, max: 3, noNaN: true }),
        dy: fc.double({ min: -3, max: 3, noNaN: true }),
      }),
    }),
    fc.record({ zoom: fc.double({ min: -1, max: 3, noNaN: true }) }),
    fc.record({
      place: fc.record({
        across: fc.double({ min: 0, max: 1, noNaN: true }),
        down: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    }),
  );
  const side = fc.integer({ min: 1, max: 8000 });
  fc.assert(
    fc.property(side, side, fc.array(step, { maxLength: 20 }), (width, height, steps) => {
      const picture = { width, height };
      let crop: Crop = middleCrop(picture);
      for (const next of steps) {
        if ('move' in next) crop = moveCrop(picture, crop, next.move);
        else if ('zoom' in next) crop = zoomCrop(picture, crop, next.zoom);
        else crop = placeCrop(picture, crop, next.place);
        const { across, down } = sharesOf(picture, crop.size);
        const place = placeOf(picture, crop);
        for (const value of [
          crop.x,
          crop.y,
          crop.x + across,
          crop.y + down,
          place.across,
          place.down,
        ])
          expect(value).toBeGreaterThanOrEqual(0);
        for (const value of [crop.x + across, crop.y + down, place.across, place.down])
          expect(value).toBeLessThanOrEqual(1 + 1e-9);
        expect(crop.size).toBeGreaterThanOrEqual(smallestSize(picture));
        expect(crop.size).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 300 },
  );
});

test('the middle of a wide picture is cut at both sides, and enlarging keeps the middle', () => {
  const picture = { width: 1600, height: 900 };
  const whole = middleCrop(picture);
  expect(whole).toEqual({ x: 0.21875, y: 0, size: 1 });
  const near = zoomCrop(picture, whole, 0.5);
  expect(near.x + sharesOf(picture, 0.5).across / 2).toBeCloseTo(0.5);
  expect(near.y + sharesOf(picture, 0.5).down / 2).toBeCloseTo(0.5);
});
