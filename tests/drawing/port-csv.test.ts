/** A table of seats goes out and comes in again with all that its columns name; one by hand becomes rows; what it brings is one act. */
import { expect, test } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { applyEdit, invertEdit } from '#server/drawing/model/edit.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { textOfFile } from '#server/domain/text/file-text.ts';
import { UnreadableTable } from '#server/domain/text/table-fault.ts';
import { openTable } from '#server/domain/text/table.ts';
import { csvColumnOf, csvCount, csvNumber } from '#server/drawing/port/csv-columns.ts';
import { drawingOfCsv } from '#server/drawing/port/csv-in.ts';
import { csvOf } from '#server/drawing/port/csv-out.ts';
import { addDrawing, replaceDrawing } from '#server/drawing/port/insert.ts';
import { UnreadableFile } from '#server/drawing/port/values.ts';
import { walkSeats } from '#server/drawing/port/walk.ts';
import { TEMPLATES } from '#server/drawing/templates/templates.ts';
import { countingIds, readHalls } from './halls.ts';

/** As the designer reads a chosen file. */
const draw = (file: string | Buffer) =>
  drawingOfCsv(openTable(textOfFile(Buffer.from(file)), csvColumnOf), countingIds());
const errorsIn = (raw: unknown) => checkDrawing(raw).filter(({ severity }) => severity === 'error');

test.each(readHalls())(
  'a table of seats says the same after it came in again: %s',
  (_name, raw) => {
    const table = csvOf(openDrawing(raw));
    const { drawing, refused, isLaidOut } = draw(table);
    expect(refused).toEqual([]);
    expect(isLaidOut).toBe(false);
    expect(csvOf(openDrawing(drawing)).split('\r\n').toSorted()).toEqual(
      table.split('\r\n').toSorted(),
    );
    expect(errorsIn(drawing)).toEqual([]);
  },
);

test('a table by hand, without coordinates, sorted as text, becomes rows in order', () => {
  const table = [
    'Sector,Row,Seat,Category,Wheelchair',
    ...[1, 10, 11, 12, 2, 3].map((seat) => `Platea,A,${seat},Primi,${seat === 1 ? 'x' : ''}`),
    'Platea,A,2,Primi,',
    'Platea,,9,Primi,',
    '"Gall, alta",A,1,"Secondi ""posti""",',
    'Platea,B,1,=cmd(),',
  ].join('\n');
  const { drawing, refused, isLaidOut } = draw(table);
  expect(isLaidOut).toBe(true);
  expect(refused).toEqual([
    { line: 8, reason: 'twice' },
    { line: 9, reason: 'no-seat' },
  ]);
  const doc = openDrawing(drawing);
  const seats = walkSeats(doc, doc.floors[0]!.id);
  expect(seats.map(({ label }) => label)).toEqual([
    ...['1', '2', '3', '10', '11', '12'].map((seat) => `Platea-A-${seat}`),
    'Platea-B-1',
    'Gall, alta-A-1',
  ]);
  expect(seats[1]!.at.x - seats[0]!.at.x).toBe(24);
  expect(seats[0]!.seat.accessible).toBe(true);
  expect(doc.categories.map(({ label }) => label)).toEqual(['Primi', 'Secondi "posti"', '=cmd()']);
  expect(errorsIn(drawing)).toEqual([]);
  // A spreadsheet must not reckon it.
  expect(csvOf(doc)).toContain(";'=cmd();");
});

test('seats measured in metres are drawn in units', () => {
  const table = `fila;posto;x;y\n${[1, 2, 3].map((seat) => `A;${seat};${(seat * 0.55).toFixed(2).replace('.', ',')};0,9`).join('\n')}`;
  const doc = openDrawing(draw(table).drawing);
  const [first, second] = walkSeats(doc, doc.floors[0]!.id);
  expect(second!.at.x - first!.at.x).toBeCloseTo(24, 1);
});

test('what is no table of seats is refused with a reason', () => {
  for (const table of ['a;b\n1;2', 'fila\nA'])
    expect(() => draw(table)).toThrow(new UnreadableFile('not-this-format'));
  expect(() => draw('fila;posto\n;')).toThrow(new UnreadableFile('no-seats'));
  for (const table of ['', '\u0000']) expect(() => draw(table)).toThrow(UnreadableTable);
});

test('a table is drawn as well from what Excel writes; one quote too much makes no hall with fewer seats', () => {
  const seats = Array.from({ length: 10 }, (_, nth) => `Platea;A;${nth + 1};"1.${nth}50,50";9,5`);
  const lines = ['Settore;Fila;Posto;X;Y', ...seats];
  const plain = JSON.stringify(draw(lines.join('\n')).drawing);
  const forms = [
    `sep=;\r\n${lines.join('\r\n')}`,
    lines.join('\r'),
    ['Teatro Goldoni;;;;', ';;;;', ...lines].join('\r\n'),
    Buffer.from(`\uFEFF${lines.join('\r\n').replaceAll(';', '\t')}`, 'utf16le'),
    lines.map((line) => `${line};;`).join('\r\n'),
  ];
  expect(forms.map((form) => JSON.stringify(draw(form).drawing))).toEqual(forms.map(() => plain));
  const unclosed = lines.with(1, '"Platea;A;1;1;1').with(10, 'Platea;A;10;1;1');
  expect(() => draw(unclosed.join('\n'))).toThrow(new UnreadableTable('open_quote', 2));
});

test('numbers are read as Italians write them', () => {
  const read = ['1.234,50', '1,234.50', '0,9', '1.234', '-3,5', '', 'a', '1.2.3'].map(csvNumber);
  expect(read).toEqual([1234.5, 1234.5, 0.9, 1.234, -3.5, null, null, null]);
  expect(['1.200', '1200', '1,5', '0', ''].map(csvCount)).toEqual([1200, 1200, null, null, null]);
});

test('a drawing that comes beside another keeps both, repaints by the names of categories and is undone as one act', () => {
  const newId = countingIds('new');
  const doc = openDrawing(TEMPLATES[0]!.make(newId));
  for (const { make } of TEMPLATES) {
    const raw = make(countingIds());
    const edit = addDrawing(doc, raw, { floor: 'floor-0', newId, isBeside: true })!;
    const both = applyEdit(doc, edit);
    const count = (of: typeof doc) => walkSeats(of, of.floors[0]!.id).length;
    expect(count(both)).toBe(count(doc) + count(openDrawing(raw)));
    expect(readDrawing(saveDrawing(both)).floors).toHaveLength(1);
    const labels = both.categories.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(walkSeats(both, 'floor-0').every(({ category }) => category)).toBe(true);
    const ids = [...both.items.values()].flatMap((item) => seatsOf(item).map(({ uuid }) => uuid));
    expect(new Set(ids).size).toBe(ids.length);
    const companions = walkSeats(both, 'floor-0').flatMap(({ seat }) => seat.x_companionOf ?? []);
    for (const id of companions) expect(ids).toContain(id);
    expect(JSON.stringify(saveDrawing(applyEdit(both, invertEdit(edit))))).toBe(
      JSON.stringify(saveDrawing(doc)),
    );
  }
});

test('a drawing that takes the place of another leaves the name and comes away again', () => {
  const doc = openDrawing(TEMPLATES[0]!.make(countingIds()));
  for (const [, raw] of readHalls()) {
    const edit = replaceDrawing(doc, raw as Record<string, unknown>)!;
    const saved = saveDrawing(applyEdit(doc, edit));
    expect(saved).toEqual({ ...(raw as object), name: 'Teatro all’italiana' });
    expect(JSON.stringify(saveDrawing(applyEdit(applyEdit(doc, edit), invertEdit(edit))))).toBe(
      JSON.stringify(saveDrawing(doc)),
    );
  }
});
