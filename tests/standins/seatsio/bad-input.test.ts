/** Whatever is sent to the seats.io stand-in is answered, and never with a 500. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allRoutes } from '#server/standins/seatsio/routes.ts';
import { makeCompany } from './company.ts';
import { basic, refusalOf, smallDrawing, startStandin, testStandin as it } from './start.ts';

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

it('names and keys may hold any character', async (standin) => {
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

it('a drawing nested beyond reason is refused, one that nests reasonably is not', async (standin) => {
  const send = async (path: string, body: unknown) =>
    (await standin.ask(`POST ${path}`, body)).status;
  expect(await send('/system/public/charts/deep', `{"subChart":{},"x":${DEEP}}`)).toBe(400);
  expect(await send('/charts/small/version/draft', `{"subChart":{},"x":${DEEP}}`)).toBe(400);
  const brackets = { subChart: {}, name: '[{'.repeat(500), x: '\\"[['.repeat(300) };
  expect(await send('/system/public/charts/brackets', brackets)).toBe(201);
  expect(await send('/charts/brackets', '{"name":"Renamed"}')).toBe(204);
  expect(await send('/charts', `{"name":"${'x'.repeat(1_100_000)}"}`)).toBe(413);
});

it('a drawing without sense is looked at and pictured without holding everybody up for minutes', async (standin) => {
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

it('a drawing is read generously', async (standin) => {
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
  expect((await standin.ask('POST /system/public/charts/odd', drawing)).status).toBe(201);
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

const marks = { objects: ['A-1'], areaPlaces: { GA1: 1 } };
const channel = { key: 'c', name: 'C', color: '#111111', index: 1, ...marks };
const forSaleConfig = { forSale: true, ...marks, categories: ['Cat1'] };
const edits = { forSale: [{ object: 'GA1', quantity: 1 }], notForSale: [{ object: 'A-1' }] };
const categories = [{ key: 3, label: 'X', color: '#000000' }];
const event = {
  tableBookingConfig: { mode: 'CUSTOM', tables: { T1: 'BY_TABLE' } },
  objectCategories: { 'A-1': 1 },
  categories,
  channels: [channel],
  forSaleConfig,
};
const thing = { objectId: 'A-1', quantity: 1, ticketType: 't', extraData: { a: 1 } };
const change = {
  objects: [thing],
  status: 's',
  channelKeys: ['c'],
  allowedPreviousStatuses: ['free'],
};
const bestAvailable = { number: 2, categories: ['1'], sections: ['S'], ticketTypes: ['t'] };
const search = {
  number: 1,
  categories: ['1'],
  ticketTypes: ['t'],
  channels: ['c'],
  except: ['A-1'],
};
const visit = { holdToken: 'x', objects: [thing], channels: ['c'], events: ['ev'] };
/** A body of each call that takes lists; `:ws` is the workspace. */
const LISTS: Record<string, object> = {
  'POST /events/groups/actions/change-object-status': { events: ['ev'], ...change },
  'POST /events/actions/change-object-status': { statusChanges: [{ event: 'ev', ...change }] },
  'POST /events/ev/actions/change-object-status': { status: 's', bestAvailable },
  'POST /events/e1/actions/override-season-status': { objects: ['A-1'] },
  'POST /events/e1/actions/use-season-status': { objects: ['A-1'] },
  'POST /events/ev/actions/update-extra-data': { extraData: { 'A-1': { a: 1 } } },
  'POST /events/ev/actions/mark-as-not-for-sale': forSaleConfig,
  'POST /events/ev/actions/edit-for-sale-config': edits,
  'POST /events/actions/edit-for-sale-config': { events: { ev: edits } },
  'POST /events/ev/channels': [channel],
  'POST /events/ev/channels/replace': { channels: [channel] },
  'POST /events/ev/channels/c/objects': marks,
  'DELETE /events/ev/channels/c/objects': marks,
  'POST /events/actions/create-multiple': { chartKey: 'small', events: [event] },
  'POST /events/ev': event,
  'POST /seasons': { chartKey: 'small', ...event, eventKeys: ['q'] },
  'POST /seasons/sea/actions/create-events': { eventKeys: ['z'] },
  'POST /seasons/sea/partial-seasons': { eventKeys: ['e1'] },
  'POST /charts/small': { categories },
  'DELETE /ticket-buyers': { ids: ['0b7f7b3c-5b9f-4c6e-9d3c-2f1b8f6a7c11'] },
  'POST /system/public/:ws/events/ev/actions/hold': visit,
  'POST /system/public/:ws/events/ev/actions/release': visit,
  'POST /system/public/:ws/events/ev/actions/find-best-available': search,
};

/** The body with one list or object in it, after the other, replaced by each of some that do not belong there. */
function* broken(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  yield* [null, [], {}, '\0', [null], [[1e300]]];
  for (const [key, inside] of Object.entries(value))
    for (const odd of broken(inside)) yield Array.isArray(value) ? [odd] : { ...value, [key]: odd };
}

it('whatever list of a body is empty, null or of another kind is a refusal or does no harm', async (standin) => {
  const { admin } = await makeCompany(standin);
  await standin.ask('POST /seasons', { chartKey: 'small', key: 'sea', eventKeys: ['e1'] });
  for (const [call, body] of Object.entries(LISTS)) {
    const key = call.endsWith('ticket-buyers') ? admin.secretKey : standin.secretKey;
    for (const odd of broken(body)) {
      standin.clock.now += 60_000;
      const answer = await standin.ask(
        call.replace(':ws', standin.workspaceKey),
        JSON.stringify(odd),
        { Authorization: basic(key) },
      );
      expect([call, odd, answer.status >= 500]).toEqual([call, odd, false]);
    }
  }
  for (const objects of [[], null, {}, 'A-1', [[]], [null], [{}]])
    expect(
      (
        await standin.ask('POST /events/groups/actions/change-object-status', {
          events: ['ev'],
          status: 'booked',
          objects,
        })
      ).status,
    ).toBe(400);
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

it('random calls with random paths, questions and bodies never end in a 500', async (standin) => {
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
