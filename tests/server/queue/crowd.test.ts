/** One network that takes much of a sale: it holds no more, nothing is taken away, and the office is told where the waiting room is. */
import { expect } from 'vitest';
import { readHealth } from '#server/contract/health.ts';
import { setQueue } from '#server/contract/queue.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeAdmin, payOrder, until } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { statementsOf } from '#tests/support/statements.ts';

const env = { TRUST_PROXY: '1' };

/** As a visitor behind the proxy on this machine. */
function visitorAt(server: TestServer, address: string) {
  const headers = { 'x-forwarded-for': address };
  const charts = `/standins/seatsio/system/public/${server.house.ctx.seats.workspaceKey}`;
  const post = (path: string, body: object) => ask(server, 'POST', path, { body, headers });
  const holdBest = async (number: number) => {
    const made = await post(`${charts}/hold-tokens`, {});
    const { holdToken: hold_token } = made.body as { holdToken: string };
    const path = `${charts}/events/${demoEvent}/actions/hold-best-available`;
    const answer = await post(path, { holdToken: hold_token, number });
    const { chosen = [] } = answer.body as { chosen?: { objectId: string }[] };
    const selected_objects = chosen.map(({ objectId }) => ({
      object_id: objectId,
      ticket_type: 'intero',
    }));
    return { answer, hold_token, selected_objects };
  };
  return {
    hold: holdBest,
    /** As after a walk to another network. */
    async book(hold = holdBest) {
      const { answer: _, ...body } = await hold(2);
      const booked = await post(`/api/event/${demoEvent}/book`, body);
      expect(booked.status).toBe(200);
      return booked.body as { checkout_url: string };
    },
  };
}

/** Best places for new tokens of this address, ten each, until one is refused; a minute after what was held before. */
async function holdAll(server: TestServer, address: string) {
  const visitor = visitorAt(server, address);
  const tokens: string[] = [];
  for (;;) {
    if (tokens.length % 10 === 0) server.clock.advance(60_000);
    const { answer, hold_token } = await visitor.hold(10);
    if (answer.status !== 200) return { tokens, answer };
    tokens.push(hold_token);
  }
}

const crowd = async (server: TestServer, admin: { cookie: string }) =>
  (await callOk(server, readHealth, {}, admin)).findings.find(({ name }) => name === 'crowd');

test(
  'a network that holds too much is refused in words, keeps what it has, and the office is told until it opens the waiting room',
  async (server, admin) => {
    expect(await crowd(server, admin)).toBeUndefined();
    const { tokens, answer } = await holdAll(server, '203.0.113.7');
    expect([tokens.length, answer.status]).toEqual([20, 429]);
    expect(JSON.stringify(answer.body)).toContain('Da questa rete si stanno già scegliendo');
    const objects = await server.house.ctx.seats.objects(demoEvent);
    const held = objects.filter(({ hold_token }) => tokens.includes(hold_token ?? ''));
    expect(held).toHaveLength(200);
    expect(await crowd(server, admin)).toMatchObject({ state: 'amber', event_id: demoEvent });
    await holdAll(server, '203.0.113.7');
    const notes = await server.house.ctx.db('audit').where({ action: 'network_crowd' });
    expect(notes.map(({ subject, detail }) => [subject, detail])).toEqual([[demoEvent, null]]);
    const params = { eventId: demoEvent };
    const off = { opens_at: null, fixed_per_minute: null, minutes: 10, most_inside: null };
    const body = { ...off, mode: 'on', code: null } as const;
    await callOk(server, setQueue, { params, body }, admin);
    expect(await crowd(server, admin)).toBeUndefined();
  },
  { env },
);

test(
  'what a network has booked and not paid counts as held; an order keeps a hash of it until it is paid or has ended',
  async (server) => {
    const marks = async () =>
      (await server.house.ctx.db('orders').orderBy('created_at').pluck('network')).map((mark) =>
        mark === null ? null : mark.length,
      );
    const { checkout_url } = await visitorAt(server, '2001:db8:1:2::3').book();
    server.clock.advance(1_000);
    await visitorAt(server, '203.0.113.7').book();
    expect(await marks()).toEqual([43, 43]);
    const { tokens } = await holdAll(server, '2001:db8:1:ffff::1');
    expect(tokens).toHaveLength(19);
    await payOrder(server, checkout_url);
    await until(async () => {
      await server.runDue();
      return (await marks())[0] === null;
    });
    const { hold } = visitorAt(server, '2001:db8:1:4::1');
    expect([(await hold(10)).answer.status, (await hold(1)).answer.status]).toEqual([200, 429]);
    server.clock.advance(20 * 60_000);
    await server.runDue();
    expect(await marks()).toEqual([null, null]);
  },
  { env },
);

test(
  'the vendor’s seat map limits no network: the office is told by the orders that it has not paid',
  async (server) => {
    const { ctx } = server.house;
    ctx.standins = { ...ctx.standins, seatsio: false };
    const admin = await makeAdmin(server);
    const visitor = visitorAt(server, '203.0.113.7');
    await visitor.book();
    const line = await ctx.db('order_lines').first();
    const free = await ctx.db('places').whereNotIn('place', ctx.db('order_lines').select('place'));
    const lines = free
      .slice(0, 197)
      .map(({ place }, at) => ({ ...line, place, position: at + 10 }));
    await ctx.db.batchInsert(
      'order_lines',
      lines.map((one) => ({ ...one, id: ctx.newId() })),
    );
    expect(await crowd(server, admin)).toBeUndefined();
    server.clock.advance(60_000);
    // With the vendor nobody stops the hold; here another network makes it.
    await visitor.book(visitorAt(server, '203.0.113.8').hold);
    expect(await crowd(server, admin)).toMatchObject({ event_id: demoEvent });
  },
  { env },
);

test(
  'a booking does not count its network’s unpaid orders each time: behind a proxy all visitors are one network',
  async (server) => {
    const { ctx } = server.house;
    ctx.standins = { ...ctx.standins, seatsio: false };
    const visitor = visitorAt(server, '203.0.113.7');
    const { hold } = visitorAt(server, '203.0.113.8');
    const bookTwice = async () => {
      const asked: string[] = [];
      for (const held of [await hold(2), await hold(2)])
        asked.push(...(await statementsOf(ctx.db, () => visitor.book(async () => held))));
      return asked.filter((name) => name === 'read orders, read events, read order_lines').length;
    };
    for (const later of [0, 60_000]) {
      const at = ctx.now() + later;
      ctx.now = () => at;
      expect(await bookTwice()).toBe(1);
    }
  },
  { env },
);
