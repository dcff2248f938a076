/** The charts that come with the house and the stadium of any size: they can be sold as they are, and a better drawing of one takes its place only where nobody is hurt. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { assert, integer, nat, property } from 'fast-check';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { newFile } from '#tests/standins/new-file.ts';
import { eventParams, startStandin, things } from '#tests/standins/seatsio/start.ts';
import { checkText } from '#server/drawing/check/check.ts';
import { openDefaultWorkspace } from '#server/standins/seatsio/company/companies.ts';
import { drawSalaDelleFeste } from '#server/standins/seatsio/draw/sala-delle-feste.ts';
import { drawSalaNera } from '#server/standins/seatsio/draw/sala-nera.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { drawTeatroDellOpera } from '#server/standins/seatsio/draw/teatro-dell-opera.ts';
import { drawTeatroGoldoni } from '#server/standins/seatsio/draw/teatro-goldoni.ts';
import { printDense, printDrawing } from '#server/standins/seatsio/draw/print.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { printFinding } from '#server/drawing/check/findings.ts';
import { openSeatsioStore } from '#server/standins/seatsio/open.ts';
import { flattenDrawing, type PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import { addOwnCharts, ownCharts } from '#server/standins/seatsio/chart/seeds.ts';
import { change } from '#server/standins/seatsio/context.ts';

const WHEELCHAIR = 1;
const COMPANION = 2;

const folder = new URL('../../../server/standins/seatsio/charts/', import.meta.url);
const drawn = {
  'sala-delle-feste': drawSalaDelleFeste,
  'sala-nera': drawSalaNera,
  'teatro-dell-opera': drawTeatroDellOpera,
  'teatro-goldoni': drawTeatroGoldoni,
};

function planOf(key: string) {
  return flattenDrawing(
    readDrawing(JSON.parse(ownCharts().find((seed) => seed.key === key)!.text)),
    { mode: 'INHERIT' },
  );
}

function flagged(objects: PlanObject[], flag: number): PlanObject[] {
  return objects.filter(({ flags }) => (flags & flag) !== 0);
}

test('every file is what its script draws, and the arena alone has none', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(drawn).map((key) => `${key}.json`));
  for (const [key, draw] of Object.entries(drawn))
    expect(printDrawing(draw()), key).toBe(readFileSync(new URL(`${key}.json`, folder), 'utf8'));
  expect(ownCharts().map(({ key }) => key)).toEqual([...Object.keys(drawn), 'arena']);
});

test('nothing is wrong with the charts of the house', () => {
  const found = ownCharts().map(({ key, text }) => [
    key,
    checkText(text).findings.map(printFinding),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    'sala-delle-feste': [],
    'sala-nera': [],
    'teatro-dell-opera': [],
    arena: [],
    'teatro-goldoni': [
      'Avviso — Categoria Galleria: vale per aree e posti: meglio una categoria per tipo.',
    ],
  });
});

test('the theatre has its sections, categories and places; its central aisle parts neighbours, and distances are measured in 32-bit floats, as the vendor’s are', () => {
  const { objects, byLabel, drawing } = planOf('teatro-goldoni');
  expect(drawing.categories.map(({ label }) => label)).toEqual(['Platea', 'Palchi', 'Galleria']);
  const sections = Map.groupBy(objects, ({ section }) => section);
  const kinds = [...sections].map(([section, inside]) => [
    section,
    inside.length,
    [...new Set(inside.map(({ categoryKey }) => categoryKey))].join(),
  ]);
  expect(kinds.toSorted()).toEqual(
    [
      ['Galleria', 155, '3'],
      ['Palchi I ordine', 68, '2'],
      ['Palchi II ordine', 68, '2'],
      ['Platea', 288, '1'],
      [undefined, 1, '3'],
    ].toSorted(),
  );
  const beside = (label: string) => [byLabel.get(label)!.left, byLabel.get(label)!.right];
  expect(beside('Platea-F-10')).toEqual(['Platea-F-9', undefined]);
  expect(beside('Platea-F-11')).toEqual([undefined, 'Platea-F-12']);
  expect(byLabel.get('Palchi I ordine-9-1')!.parentDisplayedObjectType).toBe('Palco');
  expect(byLabel.get('Platea-A-1')!.distance).toBe(228.11744850515052);
  expect(Math.hypot(305.9 - 480, 216.6 - 364)).not.toBe(228.11744850515052);
});

test('wherever a wheelchair fits, somebody sits beside it, and best available finds its way from a focal point', () => {
  for (const { key } of ownCharts()) {
    const { objects, byLabel, hasFocalPoint } = planOf(key);
    const wheelchair = flagged(objects, WHEELCHAIR);
    expect(wheelchair.length, key).toBeGreaterThan(1);
    for (const { label, left, right } of wheelchair) {
      expect(
        [left, right].some(
          (beside) => beside !== undefined && (byLabel.get(beside)!.flags & COMPANION) !== 0,
        ),
        `${key} ${label}`,
      ).toBe(true);
    }
    expect(hasFocalPoint, key).toBe(true);
    expect(
      objects.every(
        ({ entrance, objectType, section }) =>
          entrance !== undefined || objectType !== 'seat' || section === undefined,
      ),
      key,
    ).toBe(true);
  }
});

test('a stadium has exactly the seats and sections that were asked for, and nothing is wrong with it', () => {
  assert(
    property(
      integer({ min: 8, max: 60 }),
      integer({ min: 1, max: 80 }),
      nat(59),
      (sections, each, more) => {
        const seats = sections * each + (more % sections);
        const drawing = drawStadium({ seats, sections });
        const sizes = drawing.subChart.sections.map(({ subChart }) =>
          subChart.rows.reduce((sum, row) => sum + row.seats.length, 0),
        );
        expect(sizes.length).toBe(sections);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(seats);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
        expect(checkText(printDense(drawing)).findings).toEqual([]);
      },
    ),
    { numRuns: 10 },
  );
});

test('a stadium that cannot be is refused', () => {
  for (const wrong of [
    { seats: 100, sections: 7 },
    { seats: 9, sections: 10 },
    { seats: 10.5, sections: 10 },
  ])
    expect(() => drawStadium(wrong)).toThrow(RangeError);
});

test('all charts of the house are there at the first start, published, and can be sold', async () => {
  await using standin = await startStandin({ provisioning: false });
  const charts = (await standin.client.charts.listFirstPage()).items;
  expect(charts.map(({ key, status }) => `${key} ${status}`).sort()).toEqual(
    ownCharts()
      .map(({ key }) => `${key} NOT_USED`)
      .sort(),
  );
  await standin.client.events.create('arena', eventParams({ key: 'concerto' }));
  await standin.client.events.book(
    'concerto',
    things('Tribuna Sud 108-3-7', { objectId: 'Pit', quantity: 2 }),
  );
  expect(await standin.info('Tribuna Sud 108-3-7', 'concerto')).toMatchObject({
    status: 'booked',
    zone: 'sud',
    entrance: 'Varco B',
  });
});

interface Renewing {
  said: string[];
  labels: () => string[];
  version: number;
}

/** Starts where an older release drew one seat more, lets something happen there, and opens the state with this release. */
async function renewAfter(
  happen: (
    standin: Awaited<ReturnType<typeof startStandin>>,
    change: (text: string, as?: 'seed' | 'by hand') => void,
  ) => Promise<void>,
): Promise<Renewing> {
  using place = newFile();
  const { file } = place;
  const standin = await startStandin({ file, provisioning: false });
  const beside = new Database(file);
  await happen(standin, (text, as = 'seed') => {
    const { id } = beside
      .prepare<[], { id: number }>("SELECT id FROM seatsio_charts WHERE key = 'sala-nera'")
      .get()!;
    beside.prepare('UPDATE seatsio_drawings SET drawing = ? WHERE chart_id = ?').run(text, id);
    if (as === 'seed')
      beside
        .prepare('UPDATE seatsio_charts SET seed_hash = ? WHERE id = ?')
        .run(createHash('sha256').update(text).digest('base64url'), id);
  });
  beside.close();
  await standin.close();
  const store = openSeatsioStore(file);
  const state = { store, now: Date.now, chartFolder: '', onChange: () => undefined };
  const { workspace } = await change(state, openDefaultWorkspace);
  const said: string[] = [];
  await addOwnCharts(state, workspace, (line) => said.push(line));
  await addOwnCharts(state, workspace, () => undefined);
  const row = (await store.get<{
    published_version: number;
    drawing: string;
  }>(`SELECT c.published_version, d.drawing FROM seatsio_charts c
    JOIN seatsio_drawings d ON d.chart_id = c.id AND d.version = c.published_version WHERE c.key = 'sala-nera'`))!;
  await store.close();
  return {
    said,
    version: row.published_version,
    labels: () =>
      flattenDrawing(readDrawing(JSON.parse(row.drawing)), { mode: 'INHERIT' }).objects.map(
        ({ label }) => label,
      ),
  };
}

/** The black box as an older release may have drawn it: with a thirteenth seat in row F. */
function olderDrawing(): string {
  const drawing = drawSalaNera();
  const row = drawing.subChart.sections[0]!.subChart.rows.at(-1)!;
  row.seats.push({ ...row.seats.at(-1)!, label: '13', x: row.seats.at(-1)!.x + 24 });
  return printDrawing(drawing);
}

const EXTRA = 'Fronte-F-13';

test('a better drawing of a new release takes the place of the old one, once', async () => {
  const { said, labels, version } = await renewAfter(async (standin, change) => {
    change(olderDrawing());
    await standin.client.events.create('sala-nera', eventParams({ key: 'prima' }));
    await standin.client.events.book('prima', ['Fronte-F-12']);
  });
  expect(said).toEqual([]);
  expect(labels()).not.toContain(EXTRA);
  expect(labels()).toHaveLength(120);
  expect(version).toBe(2);
});

test('a new drawing waits while somebody sits where it has no place', async () => {
  const { said, labels, version } = await renewAfter(async (standin, change) => {
    change(olderDrawing());
    await standin.client.events.create('sala-nera', eventParams({ key: 'prima' }));
    await standin.client.events.book('prima', [EXTRA]);
  });
  expect(said).toEqual([
    expect.stringMatching(
      /^La pianta «sala-nera» ha una versione nuova, ma ci sono posti già presi che non avrebbe più: resta la vecchia .*Fronte-F-13/,
    ),
  ]);
  expect(labels()).toContain(EXTRA);
  expect(version).toBe(1);
});

test('a drawing that was changed by hand is left alone', async () => {
  const { said, labels } = await renewAfter(async (_standin, change) => {
    change(olderDrawing());
    change(olderDrawing().replace('Sala Nera', 'Sala nostra'), 'by hand');
  });
  expect(said).toEqual([
    'La pianta «sala-nera» ha una versione nuova, ma qui è stata cambiata a mano: resta com’è.',
  ]);
  expect(labels()).toContain(EXTRA);
});
