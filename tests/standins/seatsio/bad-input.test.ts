/** Whatever is sent to the seats.io stand-in is answered, and never with a 500. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allRoutes } from '#server/standins/seatsio/routes.ts';
import { makeCompany } from './company.ts';
import { basic, refusalOf, smallDrawing, startStandin } from './start.ts';

const DEEP = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

test("a refusal speaks as the vendor's schema does", async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const say = async (method: 'post' | 'get', path: string, body?: unknown) =>
    (await refusalOf(client.client.request({ method, url: path, data: body }))).message;
  expect(await say('post', '/events', {})).toBe('#: required key [chartKey] not found');
  expect(await say('post', '/events/actions/create-multiple', { chartKey: 'x', events: [] })).toBe(
    '#/events: expected minimum item count: 1, found: 0',
  );
  expect(await say('post', '/workspaces', { name: 7 })).toBe(
    '#/name: expected type: String, found: Integer',
  );
  expect(await say('post', '/charts', { categories: [{ key: 1, label: 'A' }] })).toBe(
    '#/categories/0: required key [color] not found',
  );
  expect(await say('post', '/charts', [])).toContain('expected type: JSONObject');
  expect(await say('get', '/charts?expand=secrets')).toContain('#/expand');
  expect(await say('get', '/charts?eventsLimit=many')).toContain('#/eventsLimit');
  expect(await say('get', '/charts?limit=-1')).toContain('#/limit');
});

test('names and keys may hold any character', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  for (const name of ['\0 NUL', 'lone \ud800', '"<script>', '𝄞 clef', '__proto__', 'constructor']) {
    const { key } = await client.charts.create(name, null, [
      { key: name, label: name, color: name },
    ]);
    expect((await client.charts.retrieve(key)).name).toBe(name.toWellFormed());
    expect(await client.charts.listCategories(key)).toEqual([
      {
        key: name.toWellFormed(),
        label: name.toWellFormed(),
        color: name.toWellFormed(),
        accessible: false,
      },
    ]);
    await client.charts.addTag(key, name.toWellFormed());
    expect((await client.charts.listFirstPage()).items[0]!.tags).toEqual([name.toWellFormed()]);
    await client.charts.removeTag(key, name.toWellFormed());
    await client.workspaces.update((await client.workspaces.create(name)).key, name);
  }
});

test('a drawing nested beyond reason is refused, one that nests reasonably is not', async () => {
  await using standin = await startStandin();
  const send = async (path: string, body: unknown) =>
    (await standin.ask(`POST ${path}`, body)).status;
  expect(await send('/system/public/charts/deep', `{"subChart":{},"x":${DEEP}}`)).toBe(400);
  expect(await send('/charts/small/version/draft', `{"subChart":{},"x":${DEEP}}`)).toBe(400);
  const brackets = { subChart: {}, name: '[{'.repeat(500), x: '\\"[['.repeat(300) };
  expect(await send('/system/public/charts/brackets', brackets)).toBe(204);
  expect(await send('/charts/brackets', '{"name":"Renamed"}')).toBe(204);
  expect(await send('/charts', `{"name":"${'x'.repeat(1_100_000)}"}`)).toBe(413);
});

test('a drawing without sense is looked at and pictured without holding everybody up for minutes', async () => {
  await using standin = await startStandin();
  const rows = Array.from({ length: 12_000 }, (_, index) => ({
    label: `R${index}`,
    seats: [1, 2].map((label) => ({ label, x: 20 * label, y: 1, categoryKey: 1 })),
  }));
  const { categories } = smallDrawing;
  const heap = await standin.ask('POST /charts/actions/import?dry=true', {
    categories,
    subChart: { rows },
  });
  const found = (heap.body['findings'] as { message: string }[]).map(({ message }) => message);
  expect(found).toContainEqual(
    expect.stringMatching(/^i posti «1» e «2» stanno nello stesso punto di altri \(/),
  );
  const area = { capacity: 1, type: 'circle', center: { x: 0, y: 0 }, radius1: 1e5, radius2: 1e5 };
  const generalAdmissionAreas = Array.from({ length: 8_000 }, (_, index) => ({
    ...area,
    label: `G${index}`,
  }));
  await standin.ask('POST /system/public/charts/areas', { subChart: { generalAdmissionAreas } });
  const picture = await standin.ask('GET /charts/areas/version/published/thumbnail');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('a drawing is read generously', async () => {
  await using standin = await startStandin();
  const { events, charts } = standin.client;
  const drawing = {
    ...smallDrawing,
    subChart: undefined,
    venueType: 'ZONES',
    zones: { list: [{ key: 'z', label: 'Zona', focalPoint: { x: 0, y: 0 } }] },
    unknown: { deep: [null] },
    subChartFloors: [
      {
        floorName: '1',
        floorDisplayName: 'Terra',
        rows: [
          {
            label: 'A',
            seats: [
              {
                label: 1,
                x: '10',
                y: 5,
                categoryKey: '1',
                accessible: null,
                hasLiftUpArmrests: true,
              },
            ],
          },
        ],
        tables: null,
      },
      {
        floorName: '2',
        generalAdmissionAreas: [
          {
            label: 'Poly',
            capacity: '50',
            categoryKey: 1,
            type: 'polygon',
            points: [
              { x: 0, y: 0 },
              { x: 9, y: 0 },
              { x: 9, y: 9 },
            ],
          },
          {
            label: 'Rect',
            capacity: 5,
            categoryKey: 'two',
            type: 'rectangle',
            center: { x: 5, y: 5 },
            width: 10,
            height: 4,
            rotationAngle: 90,
          },
        ],
        booths: [{ label: 'B1', center: { x: 1, y: 1 }, categoryKey: 'two' }],
        shapes: [{ type: 'line' }],
        texts: [{}],
        sections: [
          {
            label: 'S',
            zone: 'z',
            categoryKey: 1,
            points: null,
            topLeft: null,
            subChart: { tables: [{ label: 'T', width: 20, height: 10, seats: [{ label: '1' }] }] },
          },
        ],
      },
    ],
  };
  expect((await standin.ask('POST /system/public/charts/odd', drawing)).status).toBe(204);
  const event = await events.create('odd');
  const infos = await events.retrieveObjectInfos(event.key, ['A-1', 'Poly', 'Rect', 'B1', 'S-T-1']);
  expect(infos['A-1']).toMatchObject({
    categoryKey: '1',
    floor: { name: '1', displayName: 'Terra' },
    isAccessible: false,
    hasLiftUpArmrests: true,
  });
  expect(infos['Poly']).toMatchObject({ capacity: 50, floor: { name: '2', displayName: '2' } });
  expect(infos['Rect']).toMatchObject({ capacity: 5, categoryLabel: 'Cat2' });
  expect(infos['B1']).toMatchObject({ objectType: 'booth', categoryKey: 'two' });
  expect(infos['S-T-1']).toMatchObject({
    section: 'S',
    zone: 'z',
    categoryKey: '1',
    distanceToFocalPoint: 0,
  });
  expect(await charts.retrieve('odd')).toMatchObject({
    venueType: 'WITH_ZONES',
    zones: [{ key: 'z', label: 'Zona' }],
  });
  expect(event.supportsBestAvailable).toBe(true);
});

/** Without what waits for ever, and what takes the keys away that the next call needs. */
const ROUTES = allRoutes(undefined as never, true).filter(
  ({ path }) => !/\/stream$|secret-key|deactivate/.test(path),
);
const words = (text: string) => text.split(' ');
const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('small', '__proto__', '..', '%', '\0', '2026-11', 'toString'),
);
const query = fc.dictionary(
  fc.constantFrom(
    ...words('limit start_after_id end_before_id filter tag expand eventsLimit __proto__'),
  ),
  anything,
  { maxKeys: 3 },
);
const keyed = fc.dictionary(
  fc.constantFrom(
    ...words('name venueType categories key label color accessible ids secretKey value'),
    ...words('holdPeriodInMinutes subChart subChartFloors zones rows seats sections __proto__'),
    ...words('events objects status holdToken number bestAvailable chartKey eventKeys'),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);
const body = fc.oneof(
  fc.constant(''),
  fc.string(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  keyed.map((value) => JSON.stringify(value)),
);

test('random calls with random paths, questions and bodies never end in a 500', async () => {
  await using standin = await startStandin();
  const { admin } = await makeCompany(standin);
  const call = fc.record({
    route: fc.constantFrom(...ROUTES),
    parts: fc.array(anything, { minLength: 4, maxLength: 4 }),
    query,
    body,
    own: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(call, async (ask) => {
      const { method, path } = ask.route;
      let part = 0;
      const filled = path.replaceAll(/:\w+/g, () =>
        encodeURIComponent(ask.parts[part++]!.toWellFormed()),
      );
      const search = new URLSearchParams(
        Object.entries(ask.query).map(([name, value]) => [name, value.toWellFormed()]),
      ).toString();
      const answer = await standin.ask(
        `${method} ${filled}?${search}`,
        method === 'GET' ? undefined : ask.body.toWellFormed(),
        { Authorization: basic(ask.own ? standin.secretKey : admin.secretKey) },
      );
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 150 },
  );
});
