/** The charts of the house: listed, checked in words, brought in from a file or from a seats.io account, written down. */
import { Region, SeatsioClient } from 'seatsio';
import { expect, test } from 'vitest';
import { checkDrawing, fetchDrawing, importDrawing, listCharts } from '#server/contract/charts.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startStandin } from '#tests/standins/seatsio/start.ts';

/** A room of two rows; `labels` are those of row B. */
function roomWith(labels: readonly string[] = ['1', '2', '3', '4']): Record<string, unknown> {
  const row = (label: string, y: number, seats: readonly string[]) => ({
    uuid: label,
    label,
    seats: seats.map((seat, index) => ({
      uuid: `${label}-${index}`,
      label: seat,
      x: 40 + index * 20,
      y,
      categoryKey: 1,
    })),
  });
  return {
    name: 'Sala prove',
    version: 1,
    venueType: 'SIMPLE',
    categories: {
      list: [{ key: 1, label: 'Unico', color: '#3b82f6', accessible: false }],
      maxCategoryKey: 1,
    },
    subChart: {
      width: 200,
      height: 160,
      focalPoint: { x: 70, y: 10 },
      rows: [row('A', 60, ['1', '2', '3', '4']), row('B', 90, labels)],
      tables: [],
      booths: [],
      generalAdmissionAreas: [],
      sections: [],
      shapes: [],
      texts: [],
    },
  };
}

function post(
  server: TestServer,
  endpoint: { path: string },
  body: unknown,
  headers: { cookie: string },
) {
  return ask(server, 'POST', addressOf(endpoint as typeof listCharts), { body, headers });
}

test('the charts are listed with their places and a picture', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { can_import, items, next_cursor } = await callOk(server, listCharts, {}, admin);
  expect([can_import, next_cursor]).toEqual([true, null]);
  const goldoni = items.find((chart) => chart.key === 'teatro-goldoni')!;
  expect(goldoni).toMatchObject({
    name: 'Teatro Goldoni',
    status: 'PUBLISHED',
    places: 639,
    thumbnail: expect.stringMatching(/^data:image\/(png|svg\+xml);base64,/),
  });
  // Chairs at tables count once, whether the table is sold whole or by the chair.
  expect(items.find((chart) => chart.key === 'sala-delle-feste')).toMatchObject({ places: 296 });
});

it('a good drawing comes in as a chart that events can be made on, and the book says who brought it', async (server, admin) => {
  const drawing = roomWith();
  const checked = await callOk(server, checkDrawing, { body: { drawing } }, admin);
  expect([
    checked.name,
    checked.findings.filter((finding) => finding.severity === 'error'),
  ]).toEqual(['Sala prove', []]);
  expect(
    (await callOk(server, listCharts, {}, admin)).items.map((chart) => chart.key),
  ).not.toContain('sala-prove');
  const { key } = await callOk(
    server,
    importDrawing,
    { body: { drawing, key: 'sala-prove', source: 'sala.json' } },
    admin,
  );
  expect(key).toBe('sala-prove');
  expect(
    (await callOk(server, listCharts, {}, admin)).items.find((chart) => chart.key === key),
  ).toMatchObject({ name: 'Sala prove', places: 8 });
  const { url, secretKey } = server.house.standins!.seatsio!;
  const vendor = new SeatsioClient(new Region(url), secretKey);
  await vendor.events.create(key);
  const [entry] = await server.house.ctx.db('audit').where({ action: 'chart_imported' });
  expect([entry.subject, JSON.parse(entry.detail)]).toEqual([
    'sala-prove',
    { name: 'Sala prove', source: 'sala.json' },
  ]);
  expect(entry.actor).toMatch(/^user:/);

  expect(await post(server, importDrawing, { drawing, key: 'sala-prove' }, admin)).toMatchObject({
    status: 409,
    body: { code: 'chart_key_taken' },
  });
  const unnamed = await callOk(server, importDrawing, { body: { drawing } }, admin);
  expect(unnamed.key).toMatch(/^[\w-]{8,}$/);
});

test('what is wrong with a drawing is told before, and keeps it out', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const drawing = roomWith(['1', '2', '2', '4']);
  const { findings } = await callOk(server, checkDrawing, { body: { drawing } }, admin);
  expect(findings).toContainEqual({
    severity: 'error',
    where: expect.stringMatching(/fila B/i),
    message: expect.stringContaining('«2»'),
  });
  expect(await post(server, importDrawing, { drawing, key: 'doppia' }, admin)).toMatchObject({
    status: 422,
    body: { code: 'drawing_invalid', detail: { findings } },
  });
  expect(
    (await callOk(server, listCharts, {}, admin)).items.map((chart) => chart.key),
  ).not.toContain('doppia');
  expect(await server.house.ctx.db('audit').where({ action: 'chart_imported' })).toEqual([]);
});

test('what is no drawing at all is told in words, never as a fault of ours', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  for (const drawing of [
    {},
    { name: 7 },
    { subChart: [] },
    { categories: { list: 'x' }, subChart: { rows: [{ seats: [null] }] } },
  ]) {
    const { findings } = await callOk(server, checkDrawing, { body: { drawing } }, admin);
    expect([drawing, findings.some((finding) => finding.severity === 'error')]).toEqual([
      drawing,
      true,
    ]);
    expect((await post(server, importDrawing, { drawing }, admin)).status).toBe(422);
  }
  const deep = `{"drawing":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
  for (const { path } of [checkDrawing, importDrawing]) {
    const { status } = await ask(server, 'POST', path, {
      raw: deep,
      headers: { ...admin, 'content-type': 'application/json' },
    });
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
  }
  for (const body of [
    {},
    { drawing: [] },
    { drawing: 'x' },
    { drawing: {}, key: 'a b' },
    { drawing: {}, key: '../x' },
    { drawing: {}, key: '' },
  ])
    expect((await post(server, importDrawing, body, admin)).status).toBe(400);
  expect(server.logged).toEqual([]);
});

test('a drawing is taken from somebody’s account and comes in as it was there', async () => {
  await using account = await startStandin();
  await using server = await startServer({ env: { SEATSIO_REGION_URL: account.url } });
  const admin = await makeAdmin(server);
  const fetchIt = (body: object) =>
    post(
      server,
      fetchDrawing,
      { region: 'eu', chart_key: 'small', secret_key: account.secretKey, ...body },
      admin,
    );
  const { drawing } = await callOk(
    server,
    fetchDrawing,
    { body: { region: 'eu', chart_key: 'small', secret_key: account.secretKey } },
    admin,
  );
  expect(drawing).toEqual(await account.client.charts.retrievePublishedVersion('small'));
  expect(await fetchIt({ secret_key: 'sbagliata' })).toMatchObject({
    status: 422,
    body: { code: 'account_refused' },
  });
  expect(await fetchIt({ chart_key: 'nessuna' })).toMatchObject({
    status: 404,
    body: { code: 'chart_not_found' },
  });
  for (const body of [
    { region: 'xx' },
    { chart_key: '../events' },
    { chart_key: 'a/b' },
    { secret_key: '' },
    { secret_key: 'a\nb' },
  ])
    expect([body, (await fetchIt(body)).status]).toEqual([body, 400]);
  await account.close();
  expect((await fetchIt({})).status).toBe(503);
  const kept = JSON.stringify(await server.house.ctx.db('audit').select());
  expect(kept).not.toContain(account.secretKey);
  expect(server.logged.join()).not.toContain(account.secretKey);
});
