/** What other programs read: each token what it may, of its event only, in pages that stay right while there is more. */
import { expect } from 'vitest';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { endpoints } from '#server/contract/all.ts';
import { addressOf, isProgramCaller } from '#server/contract/endpoint.ts';
import * as reading from '#server/contract/program/reading.ts';
import { programScopes } from '#server/domain/program/token.ts';
import { revokeToken } from '#server/services/program/tokens.ts';
import { testOnBoth as it, testOnSqlite, testOnce as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeOrder, walkPages } from '#tests/support/make.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { feeEvent, makePaid } from '#tests/support/refunds.ts';
import { refundTickets } from '#tests/support/till.ts';

const params = { eventId: demoEvent, number: '' };

it('a token opens what its scopes name, and nothing else', async (server) => {
  const { order_id } = await makePaidOrder(server);
  const { number } = await server.house.ctx.db('orders').where({ id: order_id }).first('number');
  const ofPrograms = Object.values(endpoints).filter(({ who }) => isProgramCaller(who));
  expect(ofPrograms).toHaveLength(Object.keys(reading).length);
  for (const scope of programScopes) {
    const { headers } = await makeProgram(server, { scopes: [scope] });
    for (const endpoint of ofPrograms) {
      const path = addressOf(endpoint, { ...params, number });
      const { status, body } = await ask(server, 'GET', path, { headers });
      const isOpen = endpoint.who === `program:${scope}`;
      expect([scope, path, status]).toEqual([scope, path, isOpen ? 200 : 403]);
      if (!isOpen) expect(body).toMatchObject({ code: 'scope_missing' });
    }
    // The office, the phones and the site's own calls know no such token.
    for (const path of ['/api/admin/orders/', '/api/admin/programs/tokens'])
      expect((await ask(server, 'GET', path, { headers })).status).toBe(401);
  }
});

testOnSqlite('a token that is wrong, expired or revoked opens nothing', async (server) => {
  const { ctx } = server.house;
  const soon = ctx.now() + 60_000;
  const { headers } = await makeProgram(server, { scopes: ['events'], expires_at: soon });
  const other = await makeProgram(server, { scopes: ['events'] });
  const statusFor = async (given: Record<string, string>) =>
    (await ask(server, 'GET', '/api/v1/events', { headers: given })).status;
  expect(await statusFor(headers)).toBe(200);
  const wrong: Record<string, string>[] = [
    {},
    { authorization: 'Bearer bot_' },
    { authorization: `Bearer ${'x'.repeat(47)}` },
    { authorization: `Basic ${other.token}` },
    { authorization: `Bearer ${other.token.slice(0, -1)}${other.token.endsWith('A') ? 'B' : 'A'}` },
  ];
  for (const given of wrong) expect([given, await statusFor(given)]).toEqual([given, 401]);
  server.clock.advance(61_000);
  expect(await statusFor(headers)).toBe(401);
  expect(await statusFor(other.headers)).toBe(200);
  await revokeToken(ctx, other.id, 'cli');
  const refused = await ask(server, 'GET', '/api/v1/events', other);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect(refused.body).toMatchObject({ status: 401, code: 'token_refused' });
  // What is stored opens nothing.
  const rows = JSON.stringify(await ctx.db('program_tokens').select());
  expect(rows).not.toContain(other.token);
  expect(rows).toContain(other.token.slice(0, 8));
});

testOnSqlite('a token of one event does not see another one', async (server) => {
  const { order_id } = await makePaidOrder(server);
  const { db } = server.house.ctx;
  const { number } = await db('orders').where({ id: order_id }).first('number');
  const another = await db('events').whereNot({ id: demoEvent }).where({ rehearsal: 0 }).first();
  await db('events').where({ id: another.id }).update({ status: 'published' });
  const theirs = await makeProgram(server, { scopes: programScopes, event_id: another.id });
  const ours = await makeProgram(server, { scopes: programScopes, event_id: demoEvent });
  for (const [name, endpoint] of Object.entries(reading)) {
    const path = addressOf(endpoint, { ...params, number });
    const own = await ask(server, 'GET', path, ours);
    expect([name, own.status]).toEqual([name, 200]);
    const { status, body } = await ask(server, 'GET', path, theirs);
    if (status === 200) {
      const { items } = body as { items: { id?: string; event_id?: string }[] };
      expect(items.every((item) => (item.event_id ?? item.id) === another.id)).toBe(true);
    } else expect([name, status]).toEqual([name, 404]);
  }
  const asked = { query: { event_id: demoEvent } };
  await expect(callOk(server, reading.listOrdersV1, asked, theirs.headers)).rejects.toThrow('404');
  // A draft is not announced to anybody.
  await db('events').where({ id: another.id }).update({ status: 'draft' });
  const listed = await callOk(server, reading.listEventsV1, {}, theirs.headers);
  expect(listed.items).toEqual([]);
});

it('orders, tickets and figures tell what was sold, without what opens a door', async (server) => {
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { name: 'Eva Neri', email: 'eva@example.it' });
  const plain = await makeProgram(server, { scopes: ['orders', 'tickets', 'figures', 'events'] });
  const knowing = await makeProgram(server, { scopes: ['orders', 'buyers'] });
  const { items } = await callOk(server, reading.listOrdersV1, {}, plain.headers);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ state: 'confirmed', event_id: demoEvent, buyer: null });
  expect(items[0]!.lines).toHaveLength(2);
  const { number } = items[0]!;
  const known = await callOk(server, reading.readOrderV1, { params: { number } }, knowing.headers);
  expect(known.buyer).toEqual({ name: 'Eva Neri', email: 'eva@example.it' });
  const event = { params: { eventId: demoEvent } };
  const tickets = await callOk(server, reading.listTicketsV1, event, plain.headers);
  expect(tickets.items.map(({ state, order_number }) => [state, order_number])).toEqual([
    ['valid', number],
    ['valid', number],
  ]);
  const figures = await callOk(server, reading.readFiguresV1, event, plain.headers);
  const [order] = await db('orders').where({ id: order_id });
  expect(figures).toMatchObject({ tickets: 2, orders: 1, paid_cents: order.paid_cents });
  expect(figures.by_type.reduce((sum, row) => sum + row.tickets, 0)).toBe(2);
  const left = await callOk(server, reading.readAvailabilityV1, event, plain.headers);
  const sum = left.categories.reduce((all, row) => all + row.places - row.left, 0);
  expect(sum).toBe(2);
  // Neither the order's page nor a ticket's code can be made of any of it.
  const said = JSON.stringify([items, known, tickets, figures]);
  expect(said).not.toContain(order_id);
  for (const secret of ['code_end', 'code_salt', 'hold_token', 'checkout_url'])
    expect(said).not.toContain(secret);
});

it('pages follow each other while orders come', async (server) => {
  const { headers } = await makeProgram(server, { scopes: ['orders', 'tickets'] });
  for (const nth of [0, 0, 0]) await makeOrder(server, { nth, count: 1 });
  const seen = await walkPages(async (place) => {
    const query = { limit: '2', ...place };
    const page = await callOk(server, reading.listOrdersV1, { query }, headers);
    if (place.cursor === undefined) await makeOrder(server, { count: 1 });
    return page;
  });
  expect(seen).toHaveLength(4);
  expect(new Set(seen.map(({ number }) => number)).size).toBe(4);
  const broken = await ask(server, 'GET', '/api/v1/orders?cursor=x', { headers });
  expect([broken.status, broken.body]).toMatchObject([400, { code: 'bad_request' }]);
});

testOnSqlite(
  'whatever a program reads, a tag saves it a second time, until it has changed',
  async (server) => {
    const { headers } = await makeProgram(server, { scopes: [...programScopes] });
    const { order_id } = await makePaidOrder(server);
    const { number } = await server.house.ctx.db('orders').where({ id: order_id }).first('number');
    for (const endpoint of Object.values(reading)) {
      const path = addressOf(endpoint, { ...params, number });
      const first = await ask(server, 'GET', path, { headers });
      const etag = first.headers.get('etag')!;
      server.clock.advance(1_000);
      const known = { headers: { ...headers, 'if-none-match': etag } };
      const again = await ask(server, 'GET', path, known);
      expect([path, first.status, again.status, again.body]).toEqual([path, 200, 304, '']);
      if (endpoint !== reading.listOrdersV1) continue;
      await makeOrder(server, { count: 1 });
      expect((await ask(server, 'GET', path, known)).status).toBe(200);
    }
  },
);

it('orders that something has happened to since are told page by page, and no others', async (server, admin) => {
  const { db, now } = server.house.ctx;
  const { headers } = await makeProgram(server, { scopes: ['orders'] });
  const sold = await makePaid(server);
  const left = await makeOrder(server, { nth: 1, event: feeEvent });
  await makePaid(server, { nth: 2 });
  server.clock.advance(60_000);
  const changed_since = new Date(now()).toISOString();
  const changed = async () => {
    const told = await walkPages((place) => {
      const query = { changed_since, limit: '1', ...place };
      return callOk(server, reading.listOrdersV1, { query }, headers);
    });
    const numbers = told.map(({ number }) => number);
    return db('orders').whereIn('number', numbers).orderBy('created_at').pluck('id');
  };
  expect(await changed()).toEqual([]);
  await refundTickets(server, admin, sold, 1);
  await callOk(server, cancelCheckout, { params: { orderId: left.order_id } });
  const fresh = await makeOrder(server, { nth: 3, event: feeEvent });
  expect(await changed()).toEqual([sold.order_id, left.order_id, fresh.order_id]);
});

it('a ticket that changes comes again after what is known', async (server) => {
  const { db } = server.house.ctx;
  await makePaidOrder(server);
  const { headers } = await makeProgram(server, { scopes: ['tickets'] });
  const event = { params: { eventId: demoEvent } };
  const { items } = await callOk(server, reading.listTicketsV1, event, headers);
  const after_seq = String(Math.max(...items.map(({ seq }) => seq)));
  const changed = { ...event, query: { after_seq } };
  expect((await callOk(server, reading.listTicketsV1, changed, headers)).items).toEqual([]);
  await db('places')
    .where({ event_id: demoEvent, place: items[0]!.place })
    .increment('feed_seq', 9);
  const news = await callOk(server, reading.listTicketsV1, changed, headers);
  expect(news.items.map(({ id }) => id)).toEqual([items[0]!.id]);
});

test('a token that asks too often is told to wait, and no other one', async (server) => {
  const one = await makeProgram(server, { scopes: ['events'] });
  const other = await makeProgram(server, { scopes: ['events'] });
  const path = '/api/v1/events/nessuno';
  let last = await ask(server, 'GET', path, one);
  for (let nth = 0; last.status === 404 && nth < 400; nth += 1)
    last = await ask(server, 'GET', path, one);
  expect([last.status, last.body]).toMatchObject([429, { code: 'too_many_requests' }]);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(server, 'GET', path, other)).status).toBe(404);
});

test('the document and the page of it are for everybody', async (server) => {
  const { body } = await ask(server, 'GET', '/api/v1/openapi.json');
  const { paths } = body as { paths: Record<string, object> };
  expect(Object.keys(paths).every((path) => path.startsWith('/api/v1/'))).toBe(true);
  expect(Object.keys(paths)).toHaveLength(Object.keys(reading).length);
  const page = await ask(server, 'GET', '/api/v1/');
  expect(page.status).toBe(200);
  for (const path of Object.keys(paths)) expect(page.body).toContain(path);
});
