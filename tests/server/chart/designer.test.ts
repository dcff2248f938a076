/** Drawing a chart from the office: a token for one chart, what the door lets through with it, and what follows when it is published. */
import { connect } from 'node:net';
import { expect } from 'vitest';
import { chartHolders, mintDesignerToken, readChart } from '#server/contract/charts.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { logout } from '#server/contract/users.ts';
import type { DesignerTaken } from '#server/standins/seatsio/wire.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { refundByOffice, refundRows } from '#tests/support/refunds.ts';
import { type TestServer } from '#tests/support/server.ts';

const chartKey = 'teatro-goldoni';

interface Row {
  label: string;
  seats: { label: string; entrance?: string }[];
}
interface Floor {
  rows: Row[];
  sections: { label: string; subChart: { rows: Row[] } }[];
}
interface Goldoni {
  categories: { list: { label: string }[] };
  subChart?: Floor;
  subChartFloors?: Floor[];
}

async function mint(server: TestServer, admin: { cookie: string }, key = chartKey) {
  return callOk(server, mintDesignerToken, { params: { chartKey: key } }, admin);
}

function basic(token: string): string {
  return `Basic ${Buffer.from(`${token}:`).toString('base64')}`;
}

/** A call of the designer through the public door. */
async function draw(
  server: TestServer,
  token: string | null,
  method: string,
  path: string,
  more: { body?: unknown; from?: number } = {},
) {
  return ask(server, method, `/standins/seatsio/charts/${path}`, {
    body: more.body,
    headers: {
      ...(token === null ? {} : { authorization: basic(token) }),
      ...(more.from === undefined ? {} : { 'if-match': `"${more.from}"` }),
    },
  });
}

/** The row that a seat is in, with its whole name. */
function rowOf(drawing: Goldoni, label: string): { row: Row; name: string } {
  const parts = (drawing.subChartFloors ?? [drawing.subChart!]).flatMap((floor) => [
    { prefix: '', rows: floor.rows },
    ...floor.sections.map((section) => ({
      prefix: `${section.label}-`,
      rows: section.subChart.rows,
    })),
  ]);
  for (const { prefix, rows } of parts)
    for (const row of rows) {
      const name = `${prefix}${row.label}`;
      if (row.seats.some((seat) => `${name}-${seat.label}` === label)) return { row, name };
    }
  throw new Error(`no seat ${label}`);
}

it('a chart is drawn and published with a token; coming events follow, and the book says who did it', async (server, admin) => {
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  const { token, expires_at } = await mint(server, admin);
  expect(Date.parse(expires_at) - server.clock.now()).toBeGreaterThan(9 * 60_000);
  const read = await draw(server, token, 'GET', `${chartKey}/designer/drawing`);
  const version = Number(read.headers.get('etag')!.replaceAll('"', ''));
  const drawing = read.body as Goldoni;
  const sold = order.selected_objects.map(({ object_id }) => object_id);
  const { row, name: rowName } = rowOf(drawing, sold[0]!);
  const platea = drawing.categories.list.find(({ label }) => label === 'Platea')!;
  platea.label = 'Poltrone';
  for (const seat of row.seats) seat.entrance = 'Varco nuovo';
  const gone = `${rowName}-${row.seats.pop()!.label}`;
  const saved = await draw(server, token, 'POST', `${chartKey}/designer/drawing?tab=tab-of-ada`, {
    body: drawing,
    from: version,
  });
  expect(saved.status).toBe(200);
  const { version: draft } = saved.body as { version: number };
  const before = await db('events').where({ id: demoEvent }).first();
  const published = await draw(server, token, 'POST', `${chartKey}/designer/actions/publish`, {
    from: draft,
  });
  expect([published.status, published.body]).toEqual([200, { publishedVersion: draft }]);
  await server.runDue();

  const place = (name: string) => db('places').where({ event_id: demoEvent, place: name }).first();
  expect(await place(sold[0]!)).toMatchObject({ entrance: 'Varco nuovo', in_hall: 1 });
  expect((await place(gone)).in_hall).toBe(0);
  const after = await db('events').where({ id: demoEvent }).first();
  expect(JSON.parse(before.seat_pricing)[0].category).toBe('Platea');
  expect(JSON.parse(after.seat_pricing)[0]).toEqual({
    ...JSON.parse(before.seat_pricing)[0],
    category: 'Poltrone',
  });
  const shows = await db('shows').where({ id: after.show_id });
  expect(shows.map(({ seat_pricing }) => seat_pricing)).toEqual([after.seat_pricing]);
  expect(Number(after.feed_seq)).toBeGreaterThan(Number(before.feed_seq));
  expect(Number((await place(sold[0]!)).feed_seq)).toBeGreaterThan(Number(before.feed_seq));
  const [entry] = await db('audit').where({ action: 'chart_published' });
  expect([entry.subject, JSON.parse(entry.detail)]).toEqual([chartKey, { version: draft }]);
  expect(entry.actor).toMatch(/^user:/);
  const detail = await callOk(server, readChart, { params: { chartKey } }, admin);
  expect(detail).toMatchObject({ is_draft: false, published_by: 'Ada', taken: sold.length });
  expect(detail.used.next.map(({ event_id }) => event_id)).toContain(demoEvent);

  // The new name sells at the old price.
  await makeOrder(server, { category: 'Poltrone', nth: 3 });

  // What is sold is not drawn away.
  row.seats = row.seats.filter(({ label }) => `${rowName}-${label}` !== sold[0]);
  const again = await draw(server, token, 'POST', `${chartKey}/designer/drawing?tab=tab-of-ada`, {
    body: drawing,
    from: draft,
  });
  const refused = await draw(server, token, 'POST', `${chartKey}/designer/actions/publish`, {
    from: (again.body as { version: number }).version,
  });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          code: 'OBJECTS_NOT_FREE',
          data: { refused: [{ label: sold[0], orderId: order.order_id, why: 'removed' }] },
        },
      ],
    },
  });
  const { items } = await callOk(
    server,
    chartHolders,
    { body: { order_ids: [order.order_id, 'nessuno'] } },
    admin,
  );
  expect(items.map(({ order_id }) => order_id)).toEqual([order.order_id]);
  expect(await db('audit').where({ action: 'chart_published' })).toHaveLength(1);
});

it('an evening that is over binds nobody who draws, until it has a coming date again; its refunds go on', async (server) => {
  const { db } = server.house.ctx;
  const order = await makePaidOrder(server, { email: 'eva@example.it' });
  const [line] = await db('order_lines').where({ order_id: order.order_id });
  const beginsIn = (ms: number) =>
    db('events')
      .where({ id: demoEvent })
      .update({ starts_at: server.clock.now() + ms });
  await beginsIn(-25 * 3_600_000);
  const admin = await makeAdmin(server);
  const takenNow = async (token: string) =>
    (await draw(server, token, 'GET', `${chartKey}/designer/taken`)).body as DesignerTaken;
  const publish = async (token: string, from: number) =>
    (await draw(server, token, 'POST', `${chartKey}/designer/actions/publish`, { from })).status;
  const { token } = await mint(server, admin);
  expect((await takenNow(token)).objects).toEqual([]);

  const read = await draw(server, token, 'GET', `${chartKey}/designer/drawing`);
  const drawing = read.body as Goldoni;
  const { row, name } = rowOf(drawing, line.object_label);
  row.seats = row.seats.filter(({ label }) => `${name}-${label}` !== line.object_label);
  const from = Number(read.headers.get('etag')!.replaceAll('"', ''));
  const saved = await draw(server, token, 'POST', `${chartKey}/designer/drawing?tab=tab-of-ada`, {
    body: drawing,
    from,
  });
  const { version } = saved.body as { version: number };
  await beginsIn(3_600_000);
  expect(await publish(token, version)).toBe(400);
  expect((await takenNow(token)).objects).not.toEqual([]);
  await beginsIn(-25 * 3_600_000);
  expect(await publish(token, version)).toBe(200);

  await server.runDue();
  await refundByOffice(server, admin, { order_id: order.order_id });
  await server.runDue();
  expect((await refundRows(server, order.order_id)).map(({ state }) => state)).toEqual([
    'succeeded',
  ]);
});

it('a token opens its own chart for ten minutes, as long as its session lives', async (server, admin) => {
  const { token } = await mint(server, admin);
  const statusOf = async (given: string | null, path = `${chartKey}/designer`, method = 'GET') =>
    (await draw(server, given, method, path, method === 'POST' ? { body: {} } : {})).status;
  expect(await statusOf(token)).toBe(200);

  const { secretKey } = server.house.standins!.seatsio!;
  for (const given of [null, '', 'x', secretKey, `${token}x`, token.slice(1), `${token}\n`])
    expect(await statusOf(given)).toBe(401);
  expect(await statusOf(token, 'sala-nera/designer')).toBe(401);
  expect(await statusOf(token, 'sala-nera/designer/drawing', 'POST')).toBe(401);
  const other = (await mint(server, admin, 'sala-nera')).token;
  expect(await statusOf(other)).toBe(401);

  const nowhere = [
    ['GET', `${chartKey}`],
    ['GET', `${chartKey}/version/published`],
    ['POST', `${chartKey}/version/draft`],
    ['POST', `${chartKey}/version/draft/actions/publish`],
    ['POST', `${chartKey}/actions/move-to-archive`],
    ['POST', `${chartKey}/actions/rename`],
    ['POST', 'actions/import'],
    ['POST', `${chartKey}/designer`],
    ['DELETE', `${chartKey}/designer`],
    ['PUT', `${chartKey}/designer/drawing`],
    ['GET', `${chartKey}/designer/actions/publish`],
    ['GET', `${chartKey}/designer/`],
    ['GET', `${chartKey}/designer//drawing`],
    ['GET', `/${chartKey}/designer`],
    ['GET', `${chartKey}/designer/..%2f..%2fsala-nera/designer`],
    ['GET', `${chartKey}%2fdesigner`],
    ['GET', `${chartKey}/designer%2fdrawing`],
    ['GET', `sala-nera%2f..%2f${chartKey}/designer`],
    ['GET', `${chartKey}%00/designer`],
    ['GET', `${chartKey};/designer`],
  ] as const;
  for (const [method, path] of nowhere)
    expect([path, await statusOf(token, path, method)]).toEqual([path, 404]);

  const head = await fetch(`${server.url}/standins/seatsio/charts/${chartKey}/designer`, {
    method: 'HEAD',
    headers: { authorization: basic(token) },
  });
  expect(head.status).toBe(404);

  const unknown = await ask(server, 'POST', addressOf(mintDesignerToken, { chartKey: 'no' }), {
    headers: admin,
  });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'chart_not_found' } });

  await server.house.ctx.db('users').where({ email: 'ada@teatro.it' }).update({ role: 'office' });
  expect(await statusOf(token)).toBe(401);
  await server.house.ctx.db('users').where({ email: 'ada@teatro.it' }).update({ role: 'admin' });
  expect(await statusOf(token)).toBe(200);
  server.clock.advance(10 * 60_000);
  expect(await statusOf(token)).toBe(401);
  const renewed = (await mint(server, admin)).token;
  expect(await statusOf(renewed)).toBe(200);
  expect(await server.house.ctx.db('designer_tokens').whereNot('token_hash', renewed)).toHaveLength(
    1,
  );
  await callOk(server, logout, {}, admin);
  expect(await statusOf(renewed)).toBe(401);
});

test('of two requests on one line the second needs a token of its own, and neither tells the secret key', async (server, admin) => {
  const { token } = await mint(server, admin);
  const { hostname, port } = new URL(server.url);
  const path = `/standins/seatsio/charts/${chartKey}/designer/presence`;
  const body = JSON.stringify({ tab: 'tab-of-ada', isEditing: true });
  const request = (headers: string[]) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...headers,
      '',
      body,
    ].join('\r\n');
  const socket = connect(Number(port), hostname);
  socket.write(
    request([`Authorization: ${basic(token)}`, 'X-Designer-Name: Somebody%20else']) +
      request([]) +
      request([
        `Authorization: ${basic('nobody')}`,
        `X-Authorization: ${basic(token)}`,
        'Connection: close',
      ]),
  );
  let heard = '';
  for await (const part of socket) heard += String(part);
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 401']);
  // Who it is says our own book.
  expect(heard).toContain('"name":"Ada"');
  expect(heard).not.toContain('Somebody');
  expect(heard).not.toContain(server.house.standins!.seatsio!.secretKey);
  expect(heard.toLowerCase()).not.toContain('www-authenticate');
  const stored = await server.house.ctx.db('designer_tokens').select();
  expect(JSON.stringify(stored)).not.toContain(token);
});
