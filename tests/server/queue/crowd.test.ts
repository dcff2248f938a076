/** One network that takes much of a sale: it holds no more, nothing is taken away, and the office is told where the waiting room is. */
import { expect } from 'vitest';
import { readHealth } from '#server/contract/health.ts';
import { setQueue } from '#server/contract/queue.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const env = { TRUST_PROXY: '1' };

/** Best places for new tokens of this address, ten each, until one is refused; a minute after what was held before. */
async function holdAll(server: TestServer, address: string, most = 40) {
  const root = `/standins/seatsio/system/public/${server.house.ctx.seats.workspaceKey}`;
  const headers = { 'x-forwarded-for': address };
  const post = (path: string, body: object) => ask(server, 'POST', root + path, { body, headers });
  const tokens: string[] = [];
  for (;;) {
    if (tokens.length % 10 === 0) server.clock.advance(60_000);
    const { holdToken } = (await post('/hold-tokens', {})).body as { holdToken: string };
    const answer = await post(`/events/${demoEvent}/actions/hold-best-available`, {
      holdToken,
      number: 10,
    });
    if (answer.status !== 200 || tokens.length === most) return { tokens, answer };
    tokens.push(holdToken);
  }
}

const crowd = async (server: TestServer, admin: { cookie: string }) =>
  (await callOk(server, readHealth, {}, admin)).findings.find(({ name }) => name === 'crowd');

test(
  'a network that holds too much is refused in words, keeps what it has, and the office is told until it opens the waiting room',
  async (server) => {
    const admin = await makeAdmin(server);
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
