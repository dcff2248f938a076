/** The designer's calls of the seats.io stand-in: versions and drafts, two people on one chart, publishing beside sold places, and who is there. */
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import type {
  DesignerChart,
  DesignerPresence,
  DesignerTaken,
  DesignerVersion,
} from '#server/standins/seatsio/wire.ts';
import { basic, eventParams, smallDrawing, things, testStandin as test } from './start.ts';
import type { Standin } from './start.ts';

type Small = typeof smallDrawing;

interface Answer<T> {
  status: number;
  etag: string | null;
  text: string;
  body: T;
  /** Of a refusal. */
  code: string;
  data: Record<string, unknown>;
}

/** One open designer: its name, its tab, and the calls that it makes. */
function openDesigner(
  { url, secretKey }: Pick<Standin, 'url' | 'secretKey'>,
  { name = 'Anna Però', tab = 'tab-of-anna', key = 'small' } = {},
) {
  return async function ask<T = { version: number; savedAt: string }>(
    method: 'GET' | 'POST',
    path: string,
    {
      from,
      body,
      headers = {},
    }: { from?: number; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer<T>> {
    const query = path.includes('?') ? `&tab=${tab}` : `?tab=${tab}`;
    const answer = await fetch(`${url}/charts/${key}/designer${path}${query}`, {
      method,
      headers: {
        Authorization: basic(secretKey),
        'X-Designer-Name': encodeURIComponent(name),
        ...(from === undefined ? {} : { 'If-Match': `"${from}"` }),
        ...headers,
      },
      body:
        body === undefined || typeof body === 'string' || body instanceof Uint8Array
          ? (body as string | undefined)
          : JSON.stringify(body),
    });
    const text = await answer.text();
    const read = (text === '' ? null : JSON.parse(text)) as T & {
      errors?: { code: string; data?: Record<string, unknown> }[];
    };
    return {
      status: answer.status,
      etag: answer.headers.get('etag'),
      text,
      body: read,
      code: read?.errors?.[0]?.code ?? '',
      data: read?.errors?.[0]?.data ?? {},
    };
  };
}

function changed(change: (drawing: Small) => void): Small {
  const drawing = structuredClone(smallDrawing);
  change(drawing);
  return drawing;
}

const renamed = (name: string) =>
  changed((drawing) => {
    drawing.name = name;
  });

test('a drawing is saved byte by byte as a draft, also where the chart has no events, and published', async (standin) => {
  const { charts } = standin.client;
  const { key } = await charts.create('Empty');
  const ask = openDesigner(standin, { key });
  const before = (await ask<DesignerChart>('GET', '')).body;
  expect(before).toMatchObject({ key, name: 'Empty', isDraft: false, events: 0, taken: 0 });
  const text = ` ${JSON.stringify(renamed('Mine'), null, 3)}\n`;
  const saved = await ask('POST', '/drawing', { from: before.version, body: text });
  expect(saved).toMatchObject({ status: 200, body: { version: before.version + 1 } });
  const read = await ask('GET', '/drawing');
  expect(read.text).toBe(text);
  expect(read.etag).toBe(`"${saved.body.version}"`);
  expect((await charts.retrieve(key)).name).toBe('Empty');
  expect((await ask<DesignerChart>('GET', '')).body).toMatchObject({
    isDraft: true,
    savedBy: 'Anna Però',
    publishedVersion: before.version,
  });
  const published = await ask('POST', '/actions/publish', { from: saved.body.version });
  expect(published).toMatchObject({
    status: 200,
    body: { publishedVersion: saved.body.version },
  });
  expect((await charts.retrieve(key)).name).toBe('Mine');
  expect(await ask('POST', '/actions/publish', { from: saved.body.version })).toMatchObject({
    status: 404,
    code: 'DRAFT_NOT_FOUND',
  });
});

test('of two people the later is told who came before, and nothing of either is lost', async (standin) => {
  const anna = openDesigner(standin);
  const bruno = openDesigner(standin, { name: 'Bruno', tab: 'tab-of-bruno' });
  const { version } = (await anna<DesignerChart>('GET', '')).body;
  expect(await anna('POST', '/drawing', { body: smallDrawing })).toMatchObject({
    status: 428,
    code: 'VERSION_REQUIRED',
  });
  const first = (await anna('POST', '/drawing', { from: version, body: renamed('Anna') })).body;
  for (const path of ['/drawing', '/actions/publish', '/actions/discard', '/actions/restore'])
    expect(
      await bruno('POST', path, { from: version, body: { ...renamed('Bruno'), version: 1 } }),
    ).toMatchObject({
      status: 409,
      code: 'DRAWING_CHANGED',
      data: { version: first.version, isDraft: true, savedBy: 'Anna Però' },
    });
  expect((await bruno<Small>('GET', '/drawing')).body.name).toBe('Anna');
  // Mine as a copy, or mine over theirs.
  const copy = await bruno<{ key: string }>('POST', '/actions/save-copy?name=Sala%20di%20Bruno', {
    body: renamed('Bruno'),
  });
  expect((await standin.client.charts.retrieve(copy.body.key)).name).toBe('Sala di Bruno');
  const over = await bruno('POST', '/drawing', { from: first.version, body: renamed('Bruno') });
  expect(over.status).toBe(200);
  // An answer that was lost is asked for again by the same tab; by another one it is a conflict.
  const again = await bruno('POST', '/drawing', { from: first.version, body: renamed('Bruno 2') });
  expect(again.status).toBe(200);
  expect(
    await anna('POST', '/drawing', { from: first.version, body: renamed('Anna 2') }),
  ).toMatchObject({ status: 409, data: { savedBy: 'Bruno' } });
  // A draft that was given up is no reason to overwrite it unseen, even where what is left is one's own.
  await bruno('POST', '/actions/publish', { from: again.body.version });
  const draft = await bruno('POST', '/drawing', {
    from: again.body.version,
    body: renamed('Bruno 3'),
  });
  const given = await anna('POST', '/actions/discard', { from: draft.body.version });
  expect(given.body.version).toBe(again.body.version);
  expect(
    await bruno('POST', '/drawing', { from: draft.body.version, body: renamed('Bruno 4') }),
  ).toMatchObject({ status: 409, data: { version: again.body.version, isDraft: false } });
});

test('what was published before is listed, read and brought back', async (standin) => {
  const ask = openDesigner(standin);
  let { version } = (await ask<DesignerChart>('GET', '')).body;
  const first = version;
  for (const name of ['Second', 'Third']) {
    ({ version } = (await ask('POST', '/drawing', { from: version, body: renamed(name) })).body);
    await ask('POST', '/actions/publish', { from: version });
    standin.clock.now += 60_000;
  }
  const list = async () => (await ask<{ items: DesignerVersion[] }>('GET', '/versions')).body.items;
  expect(await list()).toMatchObject([
    { name: 'Third', isPublished: true, publishedBy: 'Anna Però', places: 16 + 2 + 100 + 3 },
    { name: 'Second', isPublished: false },
    { name: 'Small', isPublished: false, version: first },
  ]);
  expect((await ask<Small>('GET', `/drawing?version=${first}`)).body.name).toBe('Small');
  expect(
    await ask('POST', '/actions/restore', { from: version, body: { version: 999 } }),
  ).toMatchObject({ status: 404, code: 'VERSION_NOT_FOUND' });
  const restored = await ask('POST', '/actions/restore', {
    from: version,
    body: { version: first },
  });
  expect((await ask<Small>('GET', '/drawing')).body.name).toBe('Small');
  expect((await ask<Small>('GET', '/drawing?version=published')).body.name).toBe('Third');
  await ask('POST', '/actions/publish', { from: restored.body.version });
  for (let n = 0, last = restored.body.version; n < 32; n += 1) {
    last = (await ask('POST', '/drawing', { from: last, body: renamed(`N${n}`) })).body.version;
    await ask('POST', '/actions/publish', { from: last });
  }
  expect(await list()).toHaveLength(30);
  expect((await ask('GET', `/drawing?version=${first}`)).code).toBe('VERSION_NOT_FOUND');
});

test('a chart gets its new name at once, on sale and in its draft, and whoever draws hears of it', async (standin) => {
  const ask = openDesigner(standin);
  const { version } = (await ask<DesignerChart>('GET', '')).body;
  const draft = (await ask('POST', '/drawing', { from: version, body: renamed('Draft') })).body;
  const rename = (key: string, name: string) =>
    standin.ask(`POST /charts/${key}/actions/rename`, { name });
  expect((await rename('small', ' Sala ')).status).toBe(204);
  expect((await standin.client.charts.retrieve('small')).name).toBe('Sala');
  expect((await ask<Small>('GET', '/drawing')).body.name).toBe('Sala');
  expect((await ask<Small>('GET', '/drawing?version=published')).body.name).toBe('Sala');
  expect((await standin.visit('GET', '/rendering-info?event_key=ev')).body.chart.name).toBe('Sala');
  expect((await ask<{ items: DesignerVersion[] }>('GET', '/versions')).body.items).toHaveLength(1);
  expect(await ask('POST', '/drawing', { from: draft.version, body: smallDrawing })).toMatchObject({
    status: 409,
    data: { savedBy: 'Anna Però', isDraft: true },
  });
  expect((await rename('small', ' ')).status).toBe(400);
  expect((await rename('nowhere', 'Sala')).status).toBe(404);
});

test('a new chart begins with a typical room or a hall of the house', async (standin) => {
  const fromTemplate = (template: string, name: string) =>
    standin.ask('POST /charts/actions/from-template', { template, name });
  const { items } = (await standin.ask('GET /charts/actions/templates')).body as unknown as {
    items: { key: string; kind: string; places: number; picture: string }[];
  };
  expect(items.filter(({ kind }) => kind === 'room')).toHaveLength(8);
  expect(items.filter(({ kind }) => kind === 'hall').map(({ key }) => key)).toContain('sala-nera');
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
  for (const { places, picture } of items) {
    expect(places).toBeGreaterThan(50);
    expect(Buffer.from(picture, 'base64').subarray(1, 4).toString()).toBe('PNG');
  }
  const { body } = await fromTemplate('sala-nera', 'Mia');
  expect(await standin.client.charts.retrieve(String(body['key']))).toMatchObject({
    name: 'Mia',
    status: 'NOT_USED',
  });
  const [room] = items;
  const twice = await Promise.all(['Uno', 'Due'].map((name) => fromTemplate(room!.key, name)));
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect((await fromTemplate('no', 'Mia')).status).toBe(404);
});

test('a drawing that takes places from those who have them is refused with each of them, and so is one with errors', async (standin) => {
  const ask = openDesigner(standin);
  await standin.client.events.create('small', eventParams({ key: 'ev2', name: 'Amleto' }));
  await standin.client.events.book('ev', things('A-3', { objectId: 'GA1', quantity: 40 }));
  await standin.client.events.book('ev2', things('A-3', 'B-1'), null, 'order-7');
  await standin.client.events.channels.add(
    'ev2',
    'agency',
    'Agenzia',
    '#111111',
    1,
    ['A-5', 'B-1'],
    { GA1: 30 },
  );
  const { version, taken, events } = (await ask<DesignerChart>('GET', '')).body;
  expect([events, taken]).toEqual([2, 6]);
  const told = (await ask<DesignerTaken>('GET', '/taken')).body;
  expect(told.events).toEqual([
    { key: 'ev', name: null },
    { key: 'ev2', name: 'Amleto' },
  ]);
  expect(told.objects).toHaveLength(6);
  expect(told.objects).toEqual(
    expect.arrayContaining([
      { label: 'GA1', event: 0, status: 'booked', orderId: null, places: 40 },
      { label: 'A-3', event: 1, status: 'booked', orderId: 'order-7', places: 1 },
      { label: 'GA1', event: 1, status: 'Agenzia', orderId: null, places: 30 },
    ]),
  );
  const saved = await ask('POST', '/drawing', {
    from: version,
    body: changed(({ subChart }) => {
      subChart.rows[0]!.seats.splice(2, 1);
      subChart.rows[0]!.seats.splice(3, 1);
      subChart.generalAdmissionAreas[0]!.capacity = 39;
    }),
  });
  const refused = await ask('POST', '/actions/publish', { from: saved.body.version });
  expect(refused).toMatchObject({
    status: 400,
    code: 'OBJECTS_NOT_FREE',
    data: {
      objects: {
        ev: expect.arrayContaining(['A-3', 'GA1']),
        ev2: expect.arrayContaining(['A-3', 'A-5']),
      },
      more: 0,
    },
  });
  expect(refused.data['refused']).toHaveLength(4);
  expect(refused.data['refused']).toEqual(
    expect.arrayContaining([
      {
        label: 'A-3',
        event: { key: 'ev2', name: 'Amleto' },
        status: 'booked',
        orderId: 'order-7',
        why: 'removed',
      },
      {
        label: 'GA1',
        event: { key: 'ev', name: null },
        status: 'booked',
        orderId: null,
        why: 'shrunk',
      },
    ]),
  );
  // Each label is still there, but not where its holder sits.
  const swapped = await ask('POST', '/drawing', {
    from: saved.body.version,
    body: changed(({ subChart }) => {
      const [, , third, fourth] = subChart.rows[0]!.seats;
      [third!.label, fourth!.label] = [fourth!.label, third!.label];
    }),
  });
  expect(
    (await ask('POST', '/actions/publish', { from: swapped.body.version })).data['refused'],
  ).toContainEqual(expect.objectContaining({ label: 'A-3', why: 'relabelled' }));
  const faulty = await ask('POST', '/drawing', {
    from: swapped.body.version,
    body: changed(({ subChart }) => {
      subChart.rows[1]!.label = 'A';
    }),
  });
  expect(await ask('POST', '/actions/publish', { from: faulty.body.version })).toMatchObject({
    status: 400,
    code: 'DRAWING_REFUSED',
    data: { findings: expect.arrayContaining([expect.objectContaining({ severity: 'error' })]) },
  });
  expect((await ask<DesignerChart>('GET', '')).body).toMatchObject({
    isDraft: true,
    publishedVersion: version,
  });
});

test('who draws is there, with a name, until he leaves or is silent', async (standin) => {
  const anna = openDesigner(standin);
  const bruno = openDesigner(standin, { name: 'Bruno', tab: 'tab-of-bruno' });
  const here = (ask: typeof anna, tab: string, more = {}) =>
    ask<DesignerPresence>('POST', '/presence', { body: { tab, isEditing: true, ...more } });
  await here(anna, 'tab-of-anna');
  standin.clock.now += 30_000;
  const both = (await here(bruno, 'tab-of-bruno')).body;
  expect(both.people).toEqual([
    expect.objectContaining({ name: 'Anna Però', isYou: false, isEditing: true }),
    expect.objectContaining({ name: 'Bruno', isYou: true }),
  ]);
  await anna('POST', '/drawing', { from: both.version, body: renamed('Anna') });
  expect((await here(bruno, 'tab-of-bruno')).body).toMatchObject({
    version: both.version + 1,
    isDraft: true,
    savedBy: 'Anna Però',
  });
  standin.clock.now += 15_000;
  expect((await here(bruno, 'tab-of-bruno')).body.people).toHaveLength(1);
  expect((await here(bruno, 'tab-of-bruno', { leaves: true })).body.people).toEqual([]);
  expect((await here(bruno, 'x')).status).toBe(400);
});

test('what is no drawing, no version and no packing is refused and changes nothing', async (standin) => {
  const ask = openDesigner(standin);
  const { version } = (await ask<DesignerChart>('GET', '')).body;
  const gzip = { 'Content-Encoding': 'gzip' };
  const bomb = gzipSync(Buffer.alloc(31 * 1024 * 1024, ' '));
  const bad: [number, Parameters<typeof ask>[2]][] = [
    [400, { body: '{' }],
    [400, { body: '[]' }],
    [400, { body: {} }],
    [400, { body: { subChart: { rows: 7 } } }],
    [400, { body: 'no gzip', headers: gzip }],
    [413, { body: bomb, headers: gzip }],
    [428, { body: smallDrawing, headers: { 'If-Match': '*' } }],
    [401, { body: smallDrawing, headers: { Authorization: basic('nobody') } }],
  ];
  for (const [status, { body, headers }] of bad.map(([s, more]) => [s, more!] as const)) {
    const from = headers?.['If-Match'] === undefined ? version : undefined;
    expect((await ask('POST', '/drawing', { from, body, headers })).status).toBe(status);
  }
  for (const path of ['/drawing?version=x', '/drawing?version=1.5', '/drawing?version=draft'])
    expect((await ask('GET', path)).status).toBe(400);
  expect((await ask<DesignerChart>('GET', '')).body).toMatchObject({ version, isDraft: false });
});

test('a page of any origin may ask, and reads the version', async (standin) => {
  const url = `${standin.url}/charts/small/designer/drawing`;
  const before = await fetch(url, { method: 'OPTIONS' });
  expect(before.headers.get('access-control-allow-headers')).toContain('If-Match');
  const answer = await fetch(url, { headers: { Authorization: basic(standin.secretKey) } });
  expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

test('a stadium of 50,000 seats, packed, costs less than half a second to save', async (standin) => {
  const ask = openDesigner(standin);
  const body = gzipSync(JSON.stringify(drawStadium({ seats: 50_000, sections: 100 })));
  let { version } = (await ask<DesignerChart>('GET', '')).body;
  const times: number[] = [];
  for (let n = 0; n < 2; n += 1) {
    const start = process.cpuUsage();
    const saved = await ask('POST', '/drawing', {
      from: version,
      body,
      headers: { 'Content-Encoding': 'gzip' },
    });
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
    ({ version } = saved.body);
  }
  expect(Math.min(...times)).toBeLessThan(500);
});
