/** How good a place is: the order of best places as the chart server gives them, sight lines, and colours as eyes see them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { bestOrder, setPriority } from '#server/drawing/quality/best.ts';
import { rgbOf, simulate } from '#server/drawing/quality/colors.ts';
import { coloursOf, confusionsOf, freshColour } from '#server/drawing/quality/palette.ts';
import { sightLines, viewsOf } from '#server/drawing/quality/view.ts';
import { applyEdit, invertEdit } from '#server/drawing/model/edit.ts';
import { openDrawing, saveDrawing, type Raw } from '#server/drawing/model/open.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { best, drawHall, drawRow, openHall } from '#tests/standins/seatsio/halls.ts';
import { startStandin, testStandin as it } from '#tests/standins/seatsio/start.ts';

const goldoni = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../server/standins/seatsio/charts/teatro-goldoni.json'),
    'utf8',
  ),
) as Raw;

/** Single seats as the chart server gives them, one by one, until so many are gone. */
async function given(standin: Awaited<ReturnType<typeof startStandin>>, doc: Doc, count: number) {
  const event = await openHall(standin, saveDrawing(doc));
  const labels: string[] = [];
  while (labels.length < count) {
    const asked = best(1, { tryToPreventOrphanSeats: false });
    const { objects } = await standin.client.events.bookBestAvailable(event, asked);
    labels.push(...objects);
  }
  return labels;
}

it('the order of best places is the one in which the chart server gives them, with the priorities that a house sets', async (standin) => {
  const doc = openDrawing(goldoni);
  const order = (of: Doc) =>
    bestOrder(of)
      .slice(0, 20)
      .map(({ label }) => label);
  expect(await given(standin, doc, 20)).toEqual(order(doc));
  const [first] = bestOrder(doc);
  const last = bestOrder(doc).findLast(({ data }) => data.restrictedView !== true)!;
  const back = applyEdit(doc, setPriority(doc, selectItems([first!.item]), 1)!);
  const turned = applyEdit(
    back,
    setPriority(
      back,
      { items: new Set(), seats: new Map([[last.item, new Set([last.seat!])]]) },
      -2,
    )!,
  );
  expect(order(turned)[0]).toBe(last.label);
  expect(order(turned)).not.toContain(first!.label);
  expect(await given(standin, turned, 20)).toEqual(order(turned));
});

test('a whole section put forward comes first, its own rows may say otherwise; undone it is the same bytes', () => {
  const doc = openDrawing(goldoni);
  const far = bestOrder(doc).findLast(({ section }) => section !== null)!;
  const edit = setPriority(doc, selectItems([far.section!]), -3)!;
  const done = applyEdit(doc, edit);
  expect(bestOrder(done)[0]!.section).toBe(far.section);
  const row = applyEdit(done, setPriority(done, selectItems([far.item]), 9)!);
  expect(bestOrder(row).at(-1)!.item).toBe(far.item);
  expect(JSON.stringify(saveDrawing(applyEdit(done, invertEdit(edit))))).toBe(
    JSON.stringify(goldoni),
  );
  expect(
    JSON.stringify(
      saveDrawing(applyEdit(done, setPriority(done, selectItems([far.section!]), null)!)),
    ),
  ).toBe(JSON.stringify(goldoni));
  expect(setPriority(doc, selectItems([far.section!]), 0)).toBeNull();
});

test('whatever stands as a priority, places keep an order and whole steps count', () => {
  const raw = drawHall([drawRow('A', 40, '....'), drawRow('B', 80, '....')]);
  assert(
    property(
      constantFrom<unknown>('x', null, Number.NaN, Infinity, {}, 0.4),
      integer({ min: 0, max: 7 }),
      (value, at) => {
        const seats = raw.subChart.rows.flatMap((row) => (row as { seats: object[] }).seats);
        const spoilt = structuredClone(raw);
        Object.assign(
          (spoilt.subChart.rows[at < 4 ? 0 : 1] as { seats: object[] }).seats[at % 4]!,
          { x_priority: value },
        );
        const labels = (drawing: unknown) =>
          bestOrder(openDrawing(drawing)).map(({ label }) => label);
        return seats.length === 8 && labels(spoilt).join() === labels(raw).join();
      },
    ),
  );
});

test('wheelchair and companions’ places are in no order of best ones, a restricted view is the last', () => {
  const row = drawRow('A', 40, '.wc.');
  Object.assign(row.seats[0]!, { restrictedView: true });
  const labels = bestOrder(openDrawing(drawHall([row], { focalPoint: { x: 0, y: 0 } })));
  expect(labels.map(({ label }) => label)).toEqual(['A-4', 'A-1']);
});

test('distance and angle to the focal point', () => {
  const doc = openDrawing(drawHall([drawRow('A', 100, '...')], { focalPoint: { x: 20, y: 0 } }));
  expect(
    viewsOf(doc).map(({ distance, angle }) => [Math.round(distance), Math.round(angle)]),
  ).toEqual([
    [102, 11],
    [100, 0],
    [102, 11],
  ]);
  expect(viewsOf(openDrawing(drawHall([drawRow('A', 100, '...')], { focalPoint: null })))).toEqual(
    [],
  );
});

/** Rows a metre apart, one unit a centimetre; their floors as high as told. */
function stand(heights: (number | undefined)[], { stagger = 0, scale = 1 } = {}): Doc {
  const rows = heights.map((height, row) => ({
    uuid: `r${row}`,
    label: String(row),
    ...(height === undefined ? {} : { x_height: height }),
    seats: Array.from({ length: 9 }, (_, seat) => ({
      uuid: `r${row}s${seat}`,
      label: String(seat),
      x: 50 * seat + (row % 2 === 1 ? stagger : 0),
      y: 1_000 + 100 * row,
      categoryKey: 1,
    })),
  }));
  return openDrawing({ ...drawHall(rows, { focalPoint: { x: 200, y: 0 } }), x_cmPerUnit: scale });
}

test('the C-value says by how much one sees over the head in front, and over the second row where seats are staggered', () => {
  const middle = (doc: Doc) =>
    sightLines(doc)
      .filter(({ place }) => place.label.endsWith('-4'))
      .map(({ clearance, grade, over }) => [Math.round(clearance * 10) / 10, grade, over.label]);
  // D = 1000 cm, T = 100, N = 30, R = 120: 1000 · 150 / 1100 − 120.
  expect(middle(stand([0, 30]))).toEqual([[16.4, 'good', '0-4']]);
  expect(middle(stand([0, 21]))).toEqual([[8.2, 'least', '0-4']]);
  expect(middle(stand([0, 0]))).toEqual([[-10.9, 'poor', '0-4']]);
  expect(
    sightLines(stand([0, 15, 30], { stagger: 25 })).find(({ place }) => place.label === '2-4')!.over
      .label,
  ).toBe('0-4');
});

test('without heights, or without a scale, nothing is said of sight lines', () => {
  expect(sightLines(stand([0, undefined]))).toEqual([]);
  expect(sightLines(stand([0, 30], { scale: 0 }))).toEqual([]);
});

test('colours that some eyes take for each other are named with those eyes', () => {
  const doc = openDrawing({
    ...drawHall([]),
    categories: {
      list: [
        { key: 1, label: 'Rossa', color: '#cc3333' },
        { key: 2, label: 'Oliva', color: '#7d6e2e' },
        { key: 3, label: 'Blu', color: '#2244cc' },
        { key: 4, label: 'Boh', color: 'boh' },
      ],
    },
  });
  const colours = coloursOf(doc);
  expect(colours.map(({ contrast }) => contrast && contrast.light > 3)).toEqual([
    true,
    true,
    true,
    null,
  ]);
  const found = confusionsOf(colours).map(({ one, other, eyes }) => [one.label, other.label, eyes]);
  for (const [, , eyes] of found) expect(eyes).not.toContain('usual');
  expect(
    confusionsOf(
      coloursOf({ ...doc, categories: [doc.categories[0]!, { ...doc.categories[0]!, key: 9 }] }),
    )[0]!.eyes,
  ).toEqual(['usual', 'protanopia', 'deuteranopia', 'tritanopia']);
});

test('grey is grey for all eyes, and red and green come near each other for those who lack one of their cones', () => {
  for (const eyes of ['usual', 'protanopia', 'deuteranopia', 'tritanopia'] as const)
    expect(simulate([128, 128, 128], eyes)).toBe('#808080');
  const [red, green] = [rgbOf('#c0392b')!, rgbOf('#6b7a1e')!];
  const far = (eyes: 'usual' | 'deuteranopia') => {
    const [a, b] = [rgbOf(simulate(red, eyes))!, rgbOf(simulate(green, eyes))!];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  expect(far('deuteranopia')).toBeLessThan(far('usual') / 1.5);
});

test('a fresh colour is one that nobody takes for another, and that is seen on both pages', () => {
  let doc = openDrawing({ ...drawHall([]), categories: { list: [] } });
  for (let key = 1; key <= 6; key += 1) {
    const color = freshColour(coloursOf(doc));
    doc = { ...doc, categories: [...doc.categories, { key, label: `C${key}`, color }] };
  }
  const colours = coloursOf(doc);
  expect(confusionsOf(colours)).toEqual([]);
  for (const { contrast } of colours)
    expect(Math.min(contrast!.light, contrast!.dark)).toBeGreaterThanOrEqual(3);
});
