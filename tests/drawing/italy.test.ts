/** A drawing held against Italian rules: each warning has its seats, its value and its source. */
import { expect, test } from 'vitest';
import { checkItaly, setHall, setSeating } from '#server/drawing/italy/check-italy.ts';
import { RULE_SETS, ruleSetOf } from '#server/drawing/italy/rules.ts';
import { applyEdit, invertEdit } from '#server/drawing/model/edit.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { selectItems } from '#server/drawing/model/selection.ts';

interface Row {
  seats: number;
  y: number;
  gap?: { after: number; cm: number };
  accessible?: number;
}

/** One unit a centimetre; seats half a metre apart. */
function hall(rows: Row[], { cmPerUnit = 1 }: { cmPerUnit?: number } = {}) {
  return openDrawing({
    name: 'Prova',
    x_cmPerUnit: cmPerUnit,
    categories: { list: [{ key: 1, label: 'Unica', color: '#4f8ef7' }] },
    subChart: {
      focalPoint: { x: 0, y: -50 },
      rows: rows.map(({ seats, y, gap, accessible = 2 }, row) => ({
        uuid: `r${row}`,
        label: String(row + 1),
        seats: Array.from({ length: seats }, (_, index) => ({
          label: String(index + 1),
          x: 50 * index + (gap && index > gap.after ? gap.cm : 0),
          y,
          categoryKey: 1,
          ...(index < accessible ? { accessible: true } : {}),
          ...(gap?.after === index ? { x_gapAfter: true } : {}),
        })),
      })),
    },
  });
}

const told = (doc: ReturnType<typeof hall>) =>
  checkItaly(doc).warnings.map(({ where, message, rule: { id } }) => `${id}. ${where}: ${message}`);

test('fixed seats: how many in a row depends on how far apart the rows are', () => {
  const rows = (seats: number, depth: number) =>
    hall([
      { seats, y: 0 },
      { seats, y: depth },
    ]);
  expect(told(rows(16, 80))).toEqual([]);
  expect(told(rows(17, 80))).toEqual([
    'posti-fissi. Fila 1: 17 posti di seguito, al massimo 16',
    'posti-fissi. Fila 2: 17 posti di seguito, al massimo 16',
  ]);
  expect(told(rows(20, 110))).toEqual([]);
  expect(told(rows(5, 70))).toEqual([
    'posti-fissi. Fila 1: dista 70 cm dalla fila più vicina, meno di 80',
    'posti-fissi. Fila 2: dista 70 cm dalla fila più vicina, meno di 80',
  ]);
  const [warning] = checkItaly(rows(17, 80)).warnings;
  expect(warning!.marks.seats.get('r0')!.size).toBe(17);
  expect(warning!.rule).toMatchObject({
    confidence: 'secondhand',
    source: expect.stringContaining('1996'),
  });
});

test('an aisle ends a run of seats, and is wide enough or told', () => {
  const rows = (cm: number) =>
    hall([
      { seats: 20, y: 0, gap: { after: 9, cm } },
      { seats: 10, y: 90 },
    ]);
  expect(told(rows(120))).toEqual([]);
  expect(told(rows(80))).toEqual([
    'corridoi. Fila 1: il corridoio dopo «10» è largo circa 80 cm, almeno 120',
  ]);
});

test('more rows than a sector may have are told once', () => {
  const doc = hall(Array.from({ length: 11 }, (_, row) => ({ seats: 4, y: 90 * row })));
  expect(told(doc)).toEqual([
    'posti-fissi. Pianta: 11 file di seguito, al massimo 10 senza un corridoio',
  ]);
  expect(checkItaly(doc).warnings[0]!.marks.items.size).toBe(11);
});

test('loose chairs follow a rule of their own', () => {
  const doc = hall([
    { seats: 11, y: 0 },
    { seats: 10, y: 90 },
  ]);
  const loose = applyEdit(doc, setSeating(doc, selectItems(['r0', 'r1']), 'loose')!);
  expect(told(doc)).toEqual([]);
  expect(told(loose)).toEqual(['sedie-mobili. Fila 1: 11 sedie di seguito, al massimo 10']);
  expect(checkItaly(loose).warnings[0]!.rule.confidence).toBe('sure');
});

test('two wheelchair places for each four hundred people or part of them', () => {
  const doc = hall([
    { seats: 10, y: 0, accessible: 1 },
    { seats: 10, y: 90, accessible: 0 },
  ]);
  expect(told(doc)).toEqual(['posti-accessibili. Pianta: un posto accessibile su 20, almeno 2']);
});

test('without a scale only what needs none is looked at, and that is said', () => {
  const doc = hall(
    [
      { seats: 30, y: 0, accessible: 0 },
      { seats: 30, y: 10 },
    ],
    { cmPerUnit: 0 },
  );
  expect(checkItaly(doc).needsScale).toBe(true);
  expect(told(doc)).toEqual([]);
});

test('the rules can be chosen, and choosing them is undone to the same bytes', () => {
  const doc = hall([
    { seats: 30, y: 0, accessible: 0 },
    { seats: 30, y: 50, accessible: 0 },
  ]);
  const choose = (rules: string) => applyEdit(doc, setHall(doc, { rules })!);
  expect(told(doc)).toHaveLength(3);
  expect(told(choose('v15'))).toHaveLength(1);
  expect(told(choose('nessuna'))).toEqual([]);
  const edit = setHall(doc, { rules: 'v15', licensedCapacity: 100 })!;
  const done = applyEdit(doc, edit);
  expect(saveDrawing(done)).toMatchObject({ x_rules: 'v15', x_licensedCapacity: 100 });
  expect(JSON.stringify(saveDrawing(applyEdit(done, invertEdit(edit))))).toBe(
    JSON.stringify(saveDrawing(doc)),
  );
  expect(setHall(done, { rules: 'v15', licensedCapacity: 100 })).toBeNull();
  expect(
    applyEdit(done, setHall(done, { licensedCapacity: null })!).root.x_licensedCapacity,
  ).toBeUndefined();
  expect(ruleSetOf({ x_rules: 'boh' })).toBe(RULE_SETS[0]);
});
