/** Two drawings of a hall compared, and what a drawing on sale may not do to places that somebody has. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { listObjects } from '#server/standins/seatsio/plan/plan.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { diffDrawings } from '#server/drawing/diff/diff.ts';
import { refusedByEdit, refusedChanges, type Taken } from '#server/drawing/diff/safe.ts';
import { tellDiff, tellRefused } from '#server/drawing/diff/words.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { EditDraft, applyEdit } from '#server/drawing/model/edit.ts';
import { openDrawing, type Raw } from '#server/drawing/model/open.ts';
import type { Doc, Item } from '#server/drawing/model/data.ts';

const charts = join(import.meta.dirname, '../../server/standins/seatsio/charts');
const drawings = readdirSync(charts).map((file): [string, Raw] => [
  file,
  JSON.parse(readFileSync(join(charts, file), 'utf8')) as Raw,
]);
const goldoni = () =>
  openDrawing(structuredClone(drawings.find(([name]) => name.includes('goldoni'))![1]));
const feste = () =>
  openDrawing(structuredClone(drawings.find(([name]) => name.includes('feste'))![1]));

type Row = Extract<Item, { kind: 'row' }>;
function firstRow(doc: Doc): Row {
  return [...doc.items.values()].find((item): item is Row => item.kind === 'row')!;
}
function firstTable(doc: Doc): Extract<Item, { kind: 'table' }> {
  return [...doc.items.values()].find((item) => item.kind === 'table')!;
}

/** The drawing after a few objects were put or taken away, and the edit that does it. */
function changed(doc: Doc, change: (draft: EditDraft) => void) {
  const draft = new EditDraft(doc);
  change(draft);
  const edit = draft.finish('test')!;
  return { before: doc, after: applyEdit(doc, edit), edit };
}
function withSeats(row: Row, seats: (seats: Row['data']['seats']) => Row['data']['seats']): Row {
  return { ...row, data: { ...row.data, seats: seats(row.data.seats) } };
}
function told(sides: { before: Doc; after: Doc }): string[] {
  return tellDiff(diffDrawings(sides.before, sides.after), sides).map(
    ({ where, message }) => `${where}: ${message}`,
  );
}
const one = (label: string, places = 1): Taken => ({ label, places });

test.each([...drawings, ['a stadium', drawStadium({ seats: 2_000, sections: 12 }) as never]])(
  'the places are those that the chart server lists, in its order: %s',
  (_name, raw) => {
    const doc = openDrawing(raw);
    for (const [mode, isWhole] of [
      ['INHERIT', undefined],
      ['ALL_BY_SEAT', () => false],
      ['ALL_BY_TABLE', () => true],
    ] as const) {
      const listed = listObjects(readDrawing(raw), { mode });
      expect(
        listPlaces(doc, isWhole).map(({ label, shown, category, capacity, x, y }) => ({
          label,
          shown,
          category,
          capacity,
          at: { x, y },
        })),
      ).toEqual(
        listed.map(({ label, displayedLabel, categoryKey, capacity, at }) => ({
          label,
          shown: displayedLabel,
          category: categoryKey,
          capacity,
          at,
        })),
      );
    }
  },
);

test('a drawing does not differ from itself, even when it was opened twice', () => {
  for (const [, raw] of drawings) {
    const [before, after] = [openDrawing(raw), openDrawing(structuredClone(raw))];
    expect(diffDrawings(before, after)).toEqual({ places: [], things: [] });
  }
});

test('seats that come, go, move, and take another name or category are told row by row', () => {
  const doc = goldoni();
  const row = firstRow(doc);
  const sides = changed(doc, (draft) => {
    draft.put(
      withSeats(row, ([first, second, third, fourth, ...rest]) => [
        { ...first!, label: 'X' },
        { ...second!, x: second!.x + 5 },
        { ...third!, categoryKey: doc.categories[1]!.key },
        ...rest,
        { ...fourth!, uuid: 'new', label: '99' },
      ]),
    );
    draft.set('categories', [...doc.categories, { key: 'neu', label: 'Prova', color: '#123456' }]);
  });
  const lines = told(sides);
  expect(lines).toHaveLength(6);
  const [gone, named, came, painted, moved, category] = lines as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  expect(gone).toMatch(/^Settore .*, fila .*: un posto non c’è più: «\d+»$/);
  expect(named).toMatch(/un posto cambia nome: «.*» diventa «.*-X»$/);
  expect(came).toMatch(/un posto si aggiunge: «99»$/);
  expect(painted).toMatch(/un posto cambia categoria da «.*» a «.*»: «\d+»$/);
  expect(moved).toMatch(/un posto si sposta: «\d+»$/);
  expect(category).toBe('Categoria Prova: si aggiunge');
});

test('a row put forward in the order of best places, and one that only looks different, are told too', () => {
  const doc = goldoni();
  const row = firstRow(doc);
  const put = (data: Partial<Row['data']>) =>
    changed(doc, (draft) => draft.put({ ...row, data: { ...row.data, ...data } }));
  expect(told(put({ x_priority: -1 }))).toEqual([
    expect.stringMatching(/fila .*: \d+ posti cambiano caratteristiche: /),
  ]);
  expect(told(put({ smooth: true }))).toEqual([expect.stringMatching(/^Fila .*: cambia forma$/)]);
});

test('what differs is named: marks of seats, a category, a section, the drawing', () => {
  const doc = goldoni();
  const row = firstRow(doc);
  const section = [...doc.items.values()].find((item) => item.kind === 'section')!;
  const marked = changed(doc, (draft) =>
    draft.put(
      withSeats(row, (seats) =>
        seats.map((seat, at) =>
          at < 2 ? { ...seat, restrictedView: true, entrance: 'Nord' } : seat,
        ),
      ),
    ),
  );
  expect(told(marked)).toEqual([
    expect.stringMatching(
      /due posti cambiano caratteristiche \(visibilità limitata sì, varco «Nord»\): /,
    ),
  ]);
  const [first, ...others] = doc.categories;
  const things = changed(doc, (draft) => {
    draft.set('categories', [{ ...first!, label: 'Poltrone', color: '#123456' }, ...others]);
    draft.set('root', { ...doc.root, x_cmPerUnit: 2.5 });
    draft.put({ ...section, data: { ...section.data, zone: 'sud', labelSize: 30 } });
  });
  expect(told(things)).toEqual([
    expect.stringMatching(/^Settore .*: cambia .*zona/),
    expect.stringMatching(/^Categoria Poltrone: cambia nome da «.*» a «Poltrone», colore$/),
    'Pianta Teatro Goldoni: cambia scala',
  ]);
});

test('a table that is sold in another way is told once', () => {
  const doc = feste();
  const table = firstTable(doc);
  const sides = changed(doc, (draft) => {
    draft.put({
      ...table,
      data: { ...table.data, bookAsAWhole: table.data.bookAsAWhole !== true },
    });
  });
  expect(told(sides)).toEqual([
    expect.stringMatching(/^(?:Settore .*, t|T)avolo .*: si vende in un altro modo$/),
  ]);
});

test('what somebody has may be moved and painted, and may not go, change its name or its kind', () => {
  const doc = goldoni();
  const row = firstRow(doc);
  const [a, b, c, d] = listPlaces(doc).filter(({ item }) => item === row.id);
  const sides = changed(doc, (draft) => {
    draft.put(
      withSeats(row, ([first, second, , ...rest]) => [
        { ...second!, label: first!.label! },
        { ...first!, label: second!.label! },
        ...rest.map((seat) => ({ ...seat, x: seat.x + 90, categoryKey: doc.categories[1]!.key })),
      ]),
    );
  });
  const taken = [one(a!.label), one(b!.label), one(c!.label), one(d!.label), one('Nessuno-1')];
  const refused = refusedChanges(sides, taken);
  expect(refused.map(({ why, taken: { label } }) => [label, why])).toEqual([
    [a!.label, 'relabelled'],
    [b!.label, 'relabelled'],
    [c!.label, 'removed'],
  ]);
  expect(refused.map(tellRefused)).toEqual([
    `«${a!.label}» diventerebbe «${b!.label}»`,
    `«${b!.label}» diventerebbe «${a!.label}»`,
    `«${c!.label}» non ci sarebbe più`,
  ]);
  const byEdit = refusedByEdit(sides, new Map(taken.map((each) => [each.label, each])));
  expect(byEdit.map(({ taken: { label } }) => label)).toEqual(
    refused.map(({ taken: { label } }) => label),
  );
});

test('a section that is renamed takes the names of all its seats along', () => {
  const doc = goldoni();
  const row = firstRow(doc);
  const section = doc.items.get(row.section!)! as Extract<Item, { kind: 'section' }>;
  const [place] = listPlaces(doc).filter(({ item }) => item === row.id);
  const rename = changed(doc, (draft) =>
    draft.put({ ...section, data: { ...section.data, label: 'Altra' } }),
  );
  const taken = new Map([[place!.label, one(place!.label)]]);
  expect(refusedByEdit(rename, taken).map(({ why }) => why)).toEqual(['relabelled']);
  const show = changed(doc, (draft) =>
    draft.put({ ...section, data: { ...section.data, displayLabel: 'Altra' } }),
  );
  expect(refusedByEdit(show, taken)).toEqual([]);
  expect(told(show).length).toBeGreaterThan(0);
  const gone = changed(doc, (draft) => draft.remove(section.id));
  expect(refusedByEdit(gone, taken).map(({ why }) => why)).toEqual(['removed']);
});

test('an area may grow, and shrink as far as its people fit', () => {
  const doc = feste();
  const area = [...doc.items.values()].find((item) => item.kind === 'area')!;
  const capacity = (to: number) =>
    changed(doc, (draft) => draft.put({ ...area, data: { ...area.data, capacity: to } }));
  const taken = [one(area.data.label!, 10)];
  expect(refusedChanges(capacity(10), taken)).toEqual([]);
  expect(refusedChanges(capacity(9), taken).map(tellRefused)).toEqual([
    `«${area.data.label}» avrebbe 9 posti, ma ne ha 10 occupati`,
  ]);
  const whole = changed(doc, (draft) =>
    draft.put({ ...area, data: { ...area.data, bookAsAWhole: true } }),
  );
  expect(refusedChanges(whole, taken).map(({ why }) => why)).toEqual(['retyped']);
});

test('a taken table that is sold whole may get chairs, but lose none; one sold by its chairs loses free ones', () => {
  const doc = feste();
  const table = firstTable(doc);
  const { seats } = table.data;
  const chairs = (now: typeof seats) =>
    changed(doc, (draft) => draft.put({ ...table, data: { ...table.data, seats: now } }));
  const told = (now: typeof seats, isWhole: boolean) => {
    const sides = { ...chairs(now), isWhole: () => isWhole };
    const [first] = listPlaces(sides.before, sides.isWhole).filter(({ item }) => item === table.id);
    return refusedChanges(sides, [one(first!.label)]).map(tellRefused);
  };
  const n = seats.length;
  const more = [...seats, { ...seats[0]!, uuid: 'one-more', label: String(n + 1) }];
  expect(told(more, true)).toEqual([]);
  expect(told(seats.slice(0, -1), true)).toEqual([
    expect.stringMatching(new RegExp(`avrebbe ${n - 1} posti, ma ne ha ${n} occupati$`)),
  ]);
  expect(told(seats.slice(0, -1), false)).toEqual([]);
});

test('a table sold whole may not be sold by its chairs, unless the event decides that itself', () => {
  const doc = feste();
  const table = firstTable(doc);
  const isWhole = table.data.bookAsAWhole === true;
  const sides = changed(doc, (draft) =>
    draft.put({ ...table, data: { ...table.data, bookAsAWhole: !isWhole } }),
  );
  const [place] = listPlaces(doc).filter(({ item }) => item === table.id);
  expect(refusedChanges(sides, [one(place!.label)]).map(({ why }) => why)).toEqual(['retyped']);
  expect(refusedChanges({ ...sides, isWhole: () => isWhole }, [one(place!.label)])).toEqual([]);
});

test('twenty thousand seats are compared without a search of each among all', () => {
  const raw = drawStadium({ seats: 20_000, sections: 40 });
  const [before, after] = [openDrawing(raw), openDrawing(structuredClone(raw))];
  const start = performance.now();
  expect(diffDrawings(before, after).places).toEqual([]);
  expect(refusedChanges({ before, after }, [one('x')])).toEqual([]);
  expect(performance.now() - start).toBeLessThan(10_000);
});
