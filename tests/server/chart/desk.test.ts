/** The office's charts: made empty or from a template, copied, renamed, archived, their versions brought back, and each deed in the book. */
import { expect, test } from 'vitest';
import {
  archiveChart,
  chartTemplates,
  checkDrawing,
  importDrawing,
  chartVersions,
  copyChart,
  exportDrawing,
  listCharts,
  makeChart,
  mintDesignerToken,
  readChart,
  renameChart,
  restoreChart,
} from '#server/contract/charts.ts';
import { addressOf, type EndpointShape } from '#server/contract/endpoint.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

it('a chart is made, copied, renamed, put aside and taken back, and the book says who did it', async (server, admin) => {
  const listed = async (query: { archived?: 'true'; q?: string } = {}) =>
    (await callOk(server, listCharts, { query }, admin)).items;
  const { items } = await callOk(server, chartTemplates, {}, admin);
  expect(items.find(({ key }) => key === 'sala-nera')).toMatchObject({
    places: expect.any(Number),
    picture: expect.stringMatching(/^data:image\/png;base64,/),
  });
  const empty = await callOk(server, makeChart, { body: { name: ' Vuota ' } }, admin);
  const body = { name: 'Sala piccola', template: 'sala-nera' };
  const small = await callOk(server, makeChart, { body }, admin);
  const params = { chartKey: small.key };
  const copy = await callOk(server, copyChart, { params, body: { name: 'Sala gemella' } }, admin);
  await callOk(server, renameChart, { params, body: { name: 'Ridotto' } }, admin);
  await callOk(
    server,
    archiveChart,
    { params: { chartKey: copy.key }, body: { archived: true } },
    admin,
  );
  const names = (await listed()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Vuota', 'Ridotto', 'Teatro Goldoni']));
  expect(names).not.toContain('Sala gemella');
  // What is empty is not what anybody looks for.
  expect(names.at(-1)).toBe('Vuota');
  expect((await listed({ archived: 'true', q: 'GEMELLA' })).map(({ key }) => key)).toEqual([
    copy.key,
  ]);
  expect(await listed({ archived: 'true', q: 'ridotto' })).toEqual([]);
  await callOk(
    server,
    archiveChart,
    { params: { chartKey: copy.key }, body: { archived: false } },
    admin,
  );
  expect(await listed({ archived: 'true' })).toEqual([]);
  const places = new Map((await listed()).map((chart) => [chart.key, chart.places]));
  expect(places.get(empty.key)).toBe(0);
  expect(places.get(copy.key)).toBe(places.get('sala-nera'));
  const goldoni = (await listed({ q: 'goldoni' }))[0]!;
  expect(goldoni.used.events).toBeGreaterThan(0);
  expect(goldoni.used.next.map(({ event_id }) => event_id)).toContain(demoEvent);
  expect((await callOk(server, exportDrawing, { params }, admin)).drawing).toMatchObject({
    name: 'Ridotto',
    categories: expect.anything(),
  });
  const book = await server.house.ctx.db('audit').whereLike('action', 'chart_%').orderBy('at');
  expect(book.map(({ action, subject }) => [action, subject])).toEqual([
    ['chart_made', empty.key],
    ['chart_made', small.key],
    ['chart_copied', copy.key],
    ['chart_renamed', small.key],
    ['chart_archived', copy.key],
    ['chart_unarchived', copy.key],
  ]);
  expect(JSON.parse(book[3].detail)).toEqual({ name: 'Ridotto', before: 'Sala piccola' });
});

test('an earlier version comes back as a draft, unless somebody has saved meanwhile', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { key } = await callOk(
    server,
    makeChart,
    { body: { name: 'Sala', template: 'sala-nera' } },
    admin,
  );
  const params = { chartKey: key };
  const { token } = await callOk(server, mintDesignerToken, { params }, admin);
  const draw = async (path: string, from: number, body?: unknown) =>
    (
      await ask(server, 'POST', `/standins/seatsio/charts/${key}/designer/${path}`, {
        body,
        headers: {
          authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
          'if-match': `"${from}"`,
        },
      })
    ).body as { version: number };
  const { drawing } = await callOk(server, exportDrawing, { params }, admin);
  const first = await callOk(server, readChart, { params }, admin);
  expect(first).toMatchObject({ is_draft: false, name: 'Sala', taken: 0, used: { events: 0 } });
  const second = await draw('drawing', first.version, { ...drawing, name: 'Seconda' });
  await draw('actions/publish', second.version);
  const { items } = await callOk(server, chartVersions, { params }, admin);
  expect(items).toMatchObject([
    { name: 'Seconda', is_published: true, published_by: 'Ada' },
    { name: 'Sala', is_published: false, version: first.version },
  ]);
  const restore = (version: number, from: number) =>
    ask(server, 'POST', addressOf(restoreChart, params), {
      body: { version, from },
      headers: admin,
    });
  expect(await restore(first.version, first.version)).toMatchObject({
    status: 409,
    body: { code: 'chart_changed' },
  });
  expect(await restore(777, second.version)).toMatchObject({
    status: 404,
    body: { code: 'chart_version_gone' },
  });
  expect((await restore(first.version, second.version)).status).toBe(204);
  expect(await callOk(server, readChart, { params }, admin)).toMatchObject({
    is_draft: true,
    saved_by: 'Ada',
  });
  expect(await server.house.ctx.db('audit').where({ action: 'chart_restored' })).toHaveLength(1);
  expect(await server.house.ctx.db('audit').where({ action: 'chart_published' })).toHaveLength(1);
});

test('unknown charts, templates and names without letters are refused', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const calls: [EndpointShape, object | undefined][] = [
    [readChart, undefined],
    [copyChart, { name: 'X' }],
    [renameChart, { name: 'X' }],
    [archiveChart, { archived: true }],
    [chartVersions, undefined],
    [restoreChart, { version: 1, from: 1 }],
    [exportDrawing, undefined],
    [mintDesignerToken, undefined],
  ];
  for (const chartKey of ['nessuna', 'a%2fb', '..', 'a b'])
    for (const [endpoint, body] of calls)
      expect(
        await ask(server, endpoint.method, addressOf(endpoint, { chartKey }), {
          body,
          headers: admin,
        }),
      ).toMatchObject({ status: 404 });
  const make = async (body: object) =>
    (await ask(server, 'POST', addressOf(makeChart), { body, headers: admin })).status;
  expect([
    await make({ name: '  ' }),
    await make({ name: 'x'.repeat(201) }),
    await make({ name: 'X', template: 'no' }),
    await make({}),
  ]).toEqual([400, 400, 404, 400]);
});

test('with a live seats.io account charts are drawn there, and nothing can be brought in', async () => {
  await using server = await startServer({
    env: { SEATSIO_SECRET_KEY: 'never-used', SEATSIO_WORKSPACE_KEY: 'w' },
  });
  const admin = await makeAdmin(server);
  const params = { chartKey: 'sala' };
  for (const [endpoint, body] of [
    [makeChart, { name: 'X' }],
    [copyChart, { name: 'X' }],
    [mintDesignerToken, undefined],
    [chartTemplates, undefined],
    [checkDrawing, { drawing: {} }],
    [importDrawing, { drawing: {} }],
  ] as [EndpointShape, object | undefined][])
    expect(
      await ask(server, endpoint.method, addressOf(endpoint, params), { body, headers: admin }),
    ).toMatchObject({ status: 409, body: { code: 'import_not_possible' } });
  const door = await ask(server, 'GET', '/standins/seatsio/charts/sala/designer');
  expect(door.status).toBe(404);
});
