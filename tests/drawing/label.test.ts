/** Labels for seats and rows: every scheme, counted from any side, planned before they stand. */
import { assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import {
  duplicatesAfter,
  planObjects,
  planSeats,
  relabel,
  type SeatAsk,
} from '#server/drawing/label/labels.ts';
import { PLAIN, writeSeries } from '#server/drawing/label/scheme.ts';
import { applyEdit, invertEdit } from '#server/drawing/model/edit.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { seatsOf, selectItems } from '#server/drawing/model/selection.ts';
import type { Doc } from '#server/drawing/model/data.ts';

const series = (scheme: Partial<typeof PLAIN>, count: number) =>
  writeSeries({ ...PLAIN, ...scheme }, count);

test('numbers, letters, doubled letters and Roman numbers, from any start, by any step', () => {
  expect(series({}, 4)).toEqual(['1', '2', '3', '4']);
  expect(series({ start: '7', step: 2, digits: 2 }, 3)).toEqual(['07', '09', '11']);
  expect(series({ start: '3', step: -1 }, 3)).toEqual(['3', '2', '1']);
  expect(series({ kind: 'letters', start: 'Y' }, 4)).toEqual(['Y', 'Z', 'AA', 'AB']);
  expect(series({ kind: 'doubled', start: 'Z' }, 3)).toEqual(['Z', 'AA', 'BB']);
  expect(series({ kind: 'roman', start: 'iii' }, 3)).toEqual(['III', 'IV', 'V']);
  expect(
    series({ kind: 'letters', start: 'A', lowercase: true, prefix: 'Fila ', suffix: '.' }, 2),
  ).toEqual(['Fila a.', 'Fila b.']);
  expect(series({ prefix: 'Palco ', start: '7' }, 1)).toEqual(['Palco 7']);
});

test('letters taken for digits and unwanted numbers are left out', () => {
  expect(series({ kind: 'letters', start: 'G', skip: ['I', 'O'] }, 9)).toEqual([...'GHJKLMNPQ']);
  expect(series({ kind: 'letters', start: 'Z', skip: ['i', 'A'] }, 2)).toEqual(['Z', 'BB']);
  expect(series({ start: '16', skip: ['17'] }, 2)).toEqual(['16', '18']);
  expect(series({ start: '16', skip: ['17'], digits: 3 }, 2)).toEqual(['016', '018']);
});

test('what cannot be counted says why', () => {
  expect(series({ start: 'A' }, 1)).toBe('start');
  expect(series({ kind: 'roman', start: 'IIII' }, 1)).toBe('start');
  expect(series({ kind: 'letters', start: 'I', skip: ['I'] }, 1)).toBe('start');
  expect(series({ step: 0 }, 1)).toBe('step');
  expect(series({ step: 1.5 }, 1)).toBe('step');
  expect(series({ start: '2', step: -1 }, 4)).toBe('run-out');
  expect(series({ kind: 'letters', start: 'B', step: -1 }, 3)).toBe('run-out');
  expect(series({ kind: 'roman', start: 'MMMCMXCIX' }, 2)).toBe('run-out');
});

test('no series has a label twice', () => {
  assert(
    property(
      constantFrom('numbers', 'letters', 'doubled', 'roman'),
      integer({ min: 1, max: 5 }),
      integer({ min: 1, max: 300 }),
      (kind, step, count) => {
        const start = kind === 'numbers' ? '1' : kind === 'roman' ? 'I' : 'A';
        const labels = series(
          { kind, start, step, skip: ['I', 'O', '17'].slice(kind === 'roman' ? 2 : 0) },
          count,
        );
        return Array.isArray(labels) && new Set(labels).size === count;
      },
    ),
  );
});

/** Rows of seats ten units apart; `|` is an aisle, `/` the next row, a space between rows of one line the next section. */
function hall(
  ...rows: { label: string; seats: number; x?: number; y?: number; gaps?: number[]; back?: true }[]
): Doc {
  return openDrawing({
    name: 'Prova',
    categories: { list: [{ key: 1, label: 'Unica', color: '#4f8ef7' }] },
    subChart: {
      focalPoint: { x: 50, y: -100 },
      rows: rows.map(({ label, seats, x = 0, y = 0, gaps = [], back }, row) => ({
        uuid: `r${row}`,
        label,
        seats: Array.from({ length: seats }, (_, index) => ({
          label: `${index + 1}`,
          x: x + 10 * (back ? seats - 1 - index : index),
          y,
          categoryKey: 1,
          ...(gaps.includes(index) ? { x_gapAfter: true } : {}),
        })),
      })),
    },
  });
}

const usual: SeatAsk = {
  scheme: PLAIN,
  course: 'left',
  oddSide: 'left',
  aisle: 'continue',
  across: false,
  runsOn: false,
};

/** The seats' labels from left to right, row by row. */
function labelled(doc: Doc, ask: Partial<SeatAsk>): string[] {
  const ids = [...doc.items.keys()];
  const plan = planSeats(doc, selectItems(ids), { ask: { ...usual, ...ask } });
  expect(plan.fault).toBeNull();
  const edit = relabel(doc, plan);
  const done = edit ? applyEdit(doc, edit) : doc;
  if (edit)
    expect(JSON.stringify(saveDrawing(applyEdit(done, invertEdit(edit))))).toBe(
      JSON.stringify(saveDrawing(doc)),
    );
  return ids.map((id) =>
    seatsOf(done.items.get(id))
      .toSorted((a, b) => a.x - b.x)
      .map(({ label }) => label)
      .join(' '),
  );
}

test('seats are counted from either end, from left or right whichever way the row was drawn', () => {
  const forward = hall({ label: 'A', seats: 4 });
  const backward = hall({ label: 'A', seats: 4, back: true });
  for (const doc of [forward, backward]) {
    expect(labelled(doc, { course: 'left' })).toEqual(['1 2 3 4']);
    expect(labelled(doc, { course: 'right' })).toEqual(['4 3 2 1']);
  }
  expect(labelled(forward, { course: 'last' })).toEqual(['4 3 2 1']);
  expect(labelled(backward, { course: 'first' })).toEqual(['4 3 2 1']);
});

test('odd numbers on one side of the centre, even ones on the other; an aisle near the middle is the centre', () => {
  expect(labelled(hall({ label: 'A', seats: 6 }), { course: 'centre' })).toEqual(['5 3 1 2 4 6']);
  expect(labelled(hall({ label: 'A', seats: 5 }), { course: 'centre' })).toEqual(['5 3 1 2 4']);
  expect(labelled(hall({ label: 'A', seats: 5 }), { course: 'centre', oddSide: 'right' })).toEqual([
    '4 2 1 3 5',
  ]);
  expect(labelled(hall({ label: 'A', seats: 8, gaps: [2] }), { course: 'centre' })).toEqual([
    '5 3 1 2 4 6 8 10',
  ]);
  expect(labelled(hall({ label: 'A', seats: 8, gaps: [0] }), { course: 'centre' })).toEqual([
    '7 5 3 1 2 4 6 8',
  ]);
  const backwards = hall({ label: 'A', seats: 8, gaps: [4], back: true });
  expect(labelled(backwards, { course: 'centre' })).toEqual(['5 3 1 2 4 6 8 10']);
});

test('at an aisle the count goes on, begins anew or leaves one out', () => {
  const doc = hall({ label: 'A', seats: 5, gaps: [1] });
  expect(labelled(doc, { aisle: 'continue' })).toEqual(['1 2 3 4 5']);
  expect(labelled(doc, { aisle: 'restart' })).toEqual(['1 2 1 2 3']);
  expect(labelled(doc, { aisle: 'skip' })).toEqual(['1 2 4 5 6']);
  expect(labelled(doc, { aisle: 'restart', course: 'right' })).toEqual(['2 1 3 2 1']);
});

test('the count runs on from row to row, from the front, and an aisle is no new beginning of a row', () => {
  const doc = hall({ label: 'A', seats: 3 }, { label: 'B', seats: 2, back: true });
  expect(labelled(doc, { runsOn: true })).toEqual(['1 2 3', '4 5']);
  expect(labelled(doc, { runsOn: true, course: 'right' })).toEqual(['3 2 1', '5 4']);
});

test('rows of one label are counted as one across an aisle between them', () => {
  const doc = hall(
    { label: 'A', seats: 2, x: 100 },
    { label: 'A', seats: 3 },
    { label: 'B', seats: 3, y: 20 },
    { label: 'B', seats: 2, x: 100, y: 20 },
  );
  expect(labelled(doc, { across: true })).toEqual(['4 5', '1 2 3', '1 2 3', '4 5']);
  expect(labelled(doc, { across: true, course: 'right' })).toEqual([
    '2 1',
    '5 4 3',
    '5 4 3',
    '2 1',
  ]);
  expect(labelled(doc, { across: true, aisle: 'restart' })).toEqual([
    '1 2',
    '1 2 3',
    '1 2 3',
    '1 2',
  ]);
  expect(labelled(doc, { across: true, course: 'centre' })).toEqual([
    '2 4',
    '5 3 1',
    '5 3 1',
    '2 4',
  ]);
});

test('only the seats that are selected are counted', () => {
  const doc = hall({ label: 'A', seats: 5 });
  const plan = planSeats(
    doc,
    { items: new Set(), seats: new Map([['r0', new Set([1, 3])]]) },
    { ask: { ...usual, scheme: { ...PLAIN, start: '50' } } },
  );
  const done = applyEdit(doc, relabel(doc, plan)!);
  expect(seatsOf(done.items.get('r0')).map(({ label }) => label)).toEqual([
    '1',
    '50',
    '3',
    '51',
    '5',
  ]);
});

test('rows are counted from the focal point, anew in each section when wanted', () => {
  const doc = hall(
    { label: 'x', seats: 2, y: 40 },
    { label: 'y', seats: 2 },
    { label: 'z', seats: 2, y: 20 },
  );
  const names = (order: 'front' | 'back' | 'list') =>
    planObjects(doc, selectItems(['r0', 'r1', 'r2']), {
      ask: {
        scheme: { ...PLAIN, kind: 'letters', start: 'A' },
        kind: 'row',
        order,
        perSection: true,
      },
    }).namings.map(({ before, after }) => `${before}${after}`);
  expect(names('front')).toEqual(['yA', 'zB', 'xC']);
  expect(names('back')).toEqual(['xA', 'zB', 'yC']);
  expect(names('list')).toEqual(['xA', 'yB', 'zC']);
});

test('the label and the one that is displayed change apart or together', () => {
  const doc = hall({ label: 'A', seats: 2 });
  const plan = (target: 'label' | 'displayLabel' | 'both') =>
    planSeats(doc, selectItems(['r0']), {
      ask: { ...usual, scheme: { ...PLAIN, start: '9' } },
      target,
    });
  const seats = (target: 'label' | 'displayLabel' | 'both') =>
    seatsOf(applyEdit(doc, relabel(doc, plan(target), target)!).items.get('r0')).map(
      ({ label, displayLabel }) => [label, displayLabel],
    );
  expect(seats('both')).toEqual([
    ['9', undefined],
    ['10', undefined],
  ]);
  expect(seats('label')).toEqual([
    ['9', '1'],
    ['10', '2'],
  ]);
  expect(seats('displayLabel')).toEqual([
    ['1', '9'],
    ['2', '10'],
  ]);
});

test('labels that would stand twice are named before they stand', () => {
  const doc = hall({ label: 'A', seats: 3 }, { label: 'B', seats: 3, y: 20 });
  const plan = planObjects(doc, selectItems(['r1']), {
    ask: {
      scheme: { ...PLAIN, kind: 'letters', start: 'A' },
      kind: 'row',
      order: 'list',
      perSection: false,
    },
  });
  expect(
    duplicatesAfter(doc, plan, 'both').map(({ label, places }) => [
      label,
      places.map(({ item }) => item),
    ]),
  ).toEqual([
    ['A-1', ['r0', 'r1']],
    ['A-2', ['r0', 'r1']],
    ['A-3', ['r0', 'r1']],
  ]);
  expect(duplicatesAfter(doc, plan, 'displayLabel')).toEqual([]);
});

test('labels that stand already are no edit', () => {
  const doc = hall({ label: 'A', seats: 3 });
  expect(relabel(doc, planSeats(doc, selectItems(['r0']), { ask: usual }))).toBeNull();
});

test('a stadium is labelled as a whole, and no seat twice', () => {
  const doc = openDrawing(drawStadium({ seats: 5_000, sections: 12 }));
  const sections = [...doc.items.values()]
    .filter(({ kind }) => kind === 'section')
    .map(({ id }) => id);
  const plan = planSeats(doc, selectItems(sections), {
    ask: { ...usual, course: 'centre', scheme: { ...PLAIN, start: '101' } },
  });
  const done = applyEdit(doc, relabel(doc, plan)!);
  const labels = listPlaces(done).map(({ label }) => label);
  expect(plan.namings.length).toBeGreaterThan(4_900);
  expect(new Set(labels).size).toBe(labels.length);
});
