/** What the designer says of a drawing, and which seats it points at. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDoc } from '#server/drawing/check/check-doc.ts';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { listUnpainted, peopleOf } from '#server/drawing/check/check-hall.ts';
import { openDrawing, type Raw } from '#server/drawing/model/open.ts';
import type { RootData, SeatData } from '#server/drawing/model/data.ts';

const charts = join(import.meta.dirname, '../../server/standins/seatsio/charts');

function read(file: string): Raw {
  return JSON.parse(readFileSync(join(charts, file), 'utf8')) as Raw;
}

/** One section with rows of the given seats, twenty units apart. */
function hall(rows: Partial<SeatData>[][], root: Partial<RootData> = {}, other: object[] = []) {
  return openDrawing({
    name: 'Prova',
    ...root,
    categories: { list: [{ key: 1, label: 'Unica', color: '#4f8ef7' }] },
    subChart: {
      focalPoint: { x: 0, y: -50 },
      sections: [
        {
          uuid: 'platea',
          label: 'Platea',
          topLeft: { x: 100, y: 100 },
          points: [
            { x: 50, y: 50 },
            { x: 900, y: 50 },
            { x: 900, y: 900 },
            { x: 50, y: 900 },
          ],
          categoryKey: 1,
          subChart: {
            rows: rows.map((seats, row) => ({
              uuid: `r${row}`,
              label: 'ABCDEFG'[row],
              seats: seats.map((seat, index) => ({
                uuid: `r${row}s${index}`,
                label: `${index + 1}`,
                x: 20 * index,
                y: 20 * row,
                ...seat,
              })),
            })),
          },
        },
        ...other,
      ],
    },
  });
}

function told(doc: ReturnType<typeof hall>) {
  return checkDoc(doc).map(({ where, message, marks }) => ({
    text: `${where}: ${message}`,
    marks: [...marks.items, ...[...marks.seats].map(([id, seats]) => `${id}:${[...seats].join()}`)],
  }));
}

test('the halls of the house are good, and the check of the edited drawing says what that of the file says', () => {
  for (const file of readdirSync(charts)) {
    const raw = read(file);
    expect(checkDoc(openDrawing(raw)).map(({ where, message }) => [where, message])).toEqual(
      checkDrawing(raw).map(({ where, message }) => [where, message]),
    );
  }
});

test('each fault points at its seats', () => {
  const doc = hall([
    [{}, { label: '1' }, { label: '' }],
    [{ x: 0, y: 0 }, {}, {}, { x: 2_000 }],
  ]);
  expect(told(doc)).toEqual([
    { text: 'Settore Platea, fila A: un posto senza nome (il 3°)', marks: ['r0:2'] },
    {
      text: 'Settore Platea, fila B: il posto «1» sta nello stesso punto di altri (settore Platea, fila A)',
      marks: ['r1:0'],
    },
    { text: 'Settore Platea, fila A: due posti si chiamano «1»', marks: ['r0:0,1'] },
    {
      text: 'Settore Platea, fila B: un posto fuori dal contorno del settore: «4»',
      marks: ['r1:3'],
    },
    {
      text: 'Settore Platea, fila B: tra «3» e «4» c’è molto spazio: se è un corridoio, segnalo come tale',
      marks: ['r1:2,3'],
    },
  ]);
  const empty = hall([[{}, {}]], {}, [
    { uuid: 'vuoto', label: 'Vuoto', topLeft: { x: 0, y: 0 }, points: [], subChart: {} },
  ]);
  expect(told(empty)).toEqual([
    { text: 'Settore Vuoto: il contorno ha meno di tre punti', marks: ['vuoto'] },
    { text: 'Settore Vuoto: è vuoto', marks: ['vuoto'] },
  ]);
});

test('a seat without neighbours, and an aisle that is only drawn, are worth a look', () => {
  expect(told(hall([[{ x_gapAfter: true }, {}, {}], [{}]]))).toEqual([
    { text: 'Settore Platea, fila A: un posto senza vicini: «1»', marks: ['r0:0'] },
    { text: 'Settore Platea, fila B: un posto senza vicini: «1»', marks: ['r1:0'] },
  ]);
  expect(told(hall([[{}, {}, { x: 100 }, { x: 120 }, { x: 140 }]]))).toEqual([
    {
      text: 'Settore Platea, fila A: tra «2» e «3» c’è molto spazio: se è un corridoio, segnalo come tale',
      marks: ['r0:1,2'],
    },
  ]);
  expect(told(hall([[{}, { x_gapAfter: true }, { x: 100 }, { x: 120 }, { x: 140 }]]))).toEqual([]);
});

test('a wheelchair place wants a companion’s seat, beside it or paired with it', () => {
  const lonely = hall([[{ accessible: true }, {}, {}]]);
  expect(told(lonely)).toEqual([
    {
      text: 'Settore Platea, fila A: il posto «1» è accessibile, ma non ha un posto per chi accompagna',
      marks: ['r0:0'],
    },
  ]);
  expect(told(hall([[{ accessible: true }, { companionSeat: true }, {}]]))).toEqual([]);
  expect(
    told(hall([[{ accessible: true }, {}, { companionSeat: true, x_companionOf: 'r0s0' }]])),
  ).toEqual([]);
  expect(told(hall([[{}, {}, { companionSeat: true }]]))).toEqual([
    {
      text: 'Settore Platea, fila A: il posto «3» è di chi accompagna, ma non ha accanto un posto accessibile',
      marks: ['r0:2'],
    },
  ]);
  expect(told(hall([[{}, {}, { companionSeat: true, x_companionOf: 'r0s0' }]]))[0]!.text).toBe(
    'Settore Platea, fila A: il posto «3» accompagna un posto che non è accessibile',
  );
  expect(told(hall([[{}, {}, { companionSeat: true, x_companionOf: 'gone' }]]))[0]!.text).toBe(
    'Settore Platea, fila A: il posto «3» accompagna un posto che non c’è più',
  );
});

test('one section without an entrance among others is told, more people than licensed too', () => {
  const other = (entrance?: string) => ({
    uuid: 'galleria',
    label: 'Galleria',
    topLeft: { x: 2_000, y: 0 },
    points: [
      { x: 1_900, y: -50 },
      { x: 2_900, y: -50 },
      { x: 2_900, y: 900 },
    ],
    categoryKey: 1,
    entrance,
    subChart: {
      rows: [
        {
          uuid: 'g',
          label: 'A',
          seats: [0, 1].map((index) => ({ label: `${index}`, x: 300 + 20 * index, y: 0 })),
        },
      ],
    },
  });
  expect(told(hall([[{}, {}]], {}, [other('Nord')]))).toEqual([
    { text: 'Settore Platea: non ha un varco, altri settori sì', marks: ['platea'] },
  ]);
  expect(told(hall([[{}, {}]], {}, [other()]))).toEqual([]);
  expect(told(hall([[{ entrance: 'Sud' }, { entrance: 'Sud' }]], {}, [other('Nord')]))).toEqual([]);
  expect(told(hall([[{}, {}, {}]], { x_licensedCapacity: 2 }))).toEqual([
    { text: 'Pianta: ha 3 posti, ma la capienza autorizzata è di 2', marks: [] },
  ]);
  expect(told(hall([[{}, {}]], { x_licensedCapacity: 2 }))).toEqual([]);
});

test('places without a category are listed; a table sold as one holds all its chairs', () => {
  const doc = hall([[{ categoryKey: 9 }, {}]]);
  expect(listUnpainted(doc).map(({ label }) => label)).toEqual(['Platea-A-1']);
  expect(peopleOf(openDrawing(read('sala-delle-feste.json')))).toBeGreaterThan(200);
});
