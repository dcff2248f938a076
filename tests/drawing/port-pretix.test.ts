/** Plans of pretix come in and go out again without loss; our own drawings go out with all that pretix can say. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { drawingOfPretix } from '#server/drawing/port/pretix-in.ts';
import { pretixOf } from '#server/drawing/port/pretix-out.ts';
import { UnreadableFile } from '#server/drawing/port/values.ts';
import { walkSeats } from '#server/drawing/port/walk.ts';
import { countingIds, readHalls } from './halls.ts';

const name = fc
  .string({ minLength: 1, maxLength: 8 })
  .map((text) => `n${text.replaceAll(/\s/g, '')}`);
const whole = fc.integer({ min: -500, max: 500 });
const place = fc.record({ x: whole, y: whole });
const categories = ['Primi', 'Secondi'];
const seat = fc.record({
  uuid: fc.uuid(),
  seat_guid: fc.uuid(),
  seat_number: name,
  position: place,
  category: fc.constantFrom(...categories),
  radius: fc.integer({ min: 5, max: 20 }),
});
const row = fc.record({
  uuid: fc.uuid(),
  row_number: name,
  row_number_position: fc.constantFrom('start', 'end', 'both'),
  position: place,
  seats: fc.array(seat, { minLength: 1, maxLength: 6 }),
});
const size = fc.integer({ min: 1, max: 90 });
const common = {
  uuid: fc.uuid(),
  color: fc.constant('#dddddd'),
  border_color: fc.constant('#000000'),
  position: place,
  rotation: fc.integer({ min: 0, max: 359 }),
};
const text = fc.record({ position: place, color: fc.constant('#333333'), text: name });
const area = fc.oneof(
  fc.record({
    ...common,
    text,
    shape: fc.constant('rectangle'),
    rectangle: fc.record({ width: size, height: size }),
  }),
  fc.record({
    ...common,
    text,
    shape: fc.constant('circle'),
    circle: fc.record({ radius: size }),
  }),
  fc.record({
    ...common,
    shape: fc.constant('ellipse'),
    ellipse: fc.record({ radius: fc.record({ x: size, y: size }) }),
  }),
  fc.record({
    ...common,
    shape: fc.constant('polygon'),
    polygon: fc.record({ points: fc.array(place, { minLength: 3, maxLength: 6 }) }),
  }),
  fc.record({
    ...common,
    shape: fc.constant('text'),
    text: fc.record({ position: place, color: fc.constant('#333333'), text: name, size }),
  }),
);
const zone = fc.record({
  uuid: fc.uuid(),
  name,
  zone_id: fc.uuid(),
  position: place,
  rows: fc.array(row, { maxLength: 3 }),
  areas: fc.array(area, { maxLength: 3 }),
});
const plan = fc.record({
  name,
  size: fc.record({
    width: fc.integer({ min: 1, max: 3000 }),
    height: fc.integer({ min: 1, max: 3000 }),
  }),
  categories: fc.constant(categories.map((category) => ({ name: category, color: '#aa3355' }))),
  zones: fc
    .array(zone, { minLength: 1, maxLength: 3 })
    .filter((zones) => zones.some(({ rows }) => rows.length > 0)),
});

/** No two parts of a plan share an id. */
function withOwnIds(value: unknown): unknown {
  const newId = countingIds();
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      key === 'uuid' || key === 'seat_guid' ? newId() : inner,
    ),
  );
}

/** Numbers that only trigonometry touched. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'number' ? Math.round(inner * 100) / 100 + 0 : inner,
    ),
  );
}

test('a plan of pretix goes through a drawing and comes back with everything it named', () => {
  fc.assert(
    fc.property(plan.map(withOwnIds), (given) => {
      const drawing = drawingOfPretix(given, countingIds());
      const doc = openDrawing(JSON.parse(JSON.stringify(drawing)));
      expect(JSON.stringify(saveDrawing(doc))).toBe(JSON.stringify(drawing));
      // Text of an area lies relative to it; both were moved by whole numbers.
      expect(rounded(pretixOf(doc).plan)).toEqual(rounded(given));
    }),
    { numRuns: 60 },
  );
});

test.each(readHalls())(
  'every seat of a hall is in pretix’s plan and comes back where it was: %s',
  (_name, raw) => {
    const doc = openDrawing(raw);
    const { plan: written, loss } = pretixOf(doc);
    const back = openDrawing(drawingOfPretix(written, countingIds()));
    const told = (from: typeof doc) =>
      from.floors
        .flatMap(({ id }) => walkSeats(from, id))
        .map(({ label, at, category }) => `${label} ${at.x} ${at.y} ${category?.label}`)
        .toSorted();
    const sections = [...back.items.values()].filter(({ kind }) => kind === 'section');
    const labels = told(doc);
    expect(labels.length).toBeGreaterThan(100);
    // Seats outside sections get one where others have it.
    if (
      sections.length === 0 ||
      [...doc.items.values()].every(({ kind, section }) => kind !== 'row' || section !== null)
    )
      expect(told(back)).toEqual(labels);
    else expect(told(back)).toHaveLength(labels.length);
    expect(loss.unpainted).toBe(0);
    expect(checkDrawing(saveDrawing(back)).filter(({ severity }) => severity === 'error')).toEqual(
      [],
    );
  },
);

test('what is no plan is refused with a reason, whatever it holds', () => {
  for (const value of [null, 1, [], {}, { zones: 3 }])
    expect(() => drawingOfPretix(value, countingIds())).toThrow(
      new UnreadableFile('not-this-format'),
    );
  for (const value of [{ zones: [] }, { zones: [{ rows: [{ seats: [] }] }, null, 7] }])
    expect(() => drawingOfPretix(value, countingIds())).toThrow(new UnreadableFile('no-seats'));
  fc.assert(
    fc.property(
      fc.record({
        zones: fc.array(
          fc.object({ key: fc.constantFrom('rows', 'areas', 'seats', 'position', 'shape') }),
        ),
        categories: fc.anything(),
      }),
      (value) => {
        try {
          openDrawing(drawingOfPretix(value, countingIds()));
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableFile);
        }
      },
    ),
    { numRuns: 100 },
  );
});
