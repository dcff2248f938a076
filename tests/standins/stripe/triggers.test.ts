/** The public fixtures of Stripe's command-line tool, driven over HTTP as the tool does: every call is answered, and the event is there. */
import { expect, test } from 'vitest';
import { ask, startShop, type Raw, type Shop } from './shop.ts';
import { NEVER, TRIGGERS } from './triggers.ts';

function send(shop: Shop, step: string, answers: Raw['body'][] = []): Promise<Raw> {
  const filled = step.replaceAll(/\{([\w.]+)\}/g, (_, path: string) =>
    String(
      path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], answers),
    ),
  );
  const [, method, path, text = ''] = /^(\w+) (\S+)(?: (.*))?$/.exec(filled)!;
  const form = new URLSearchParams(text).toString();
  return method === 'POST'
    ? ask(shop, `POST /v1/${path}`, { form })
    : ask(shop, `${method} /v1/${path}?${form}`);
}

test('every trigger that concerns a ticket shop goes through, and leaves its event', async () => {
  await using shop = await startShop();
  for (const [event, ...steps] of TRIGGERS) {
    const since = Math.floor(shop.clock.now / 1000) + 1;
    shop.clock.now = since * 1000;
    const answers: Raw['body'][] = [];
    for (const step of steps) {
      const [call, refused] = step.split(' !') as [string, string?];
      const { body } = await send(shop, call, answers);
      expect([event, call, body.error?.type, body.error?.message]).toEqual([
        event,
        call,
        refused,
        refused && expect.any(String),
      ]);
      answers.push(body);
    }
    // What comes by the clock: a dispute, the answer of a bank.
    shop.clock.now += 60_000;
    await shop.running.tick();
    const { data } = await shop.stripe.events.list({ created: { gte: since }, limit: 100 });
    expect(data.map(({ type }) => type)).toContain(event);
  }
});

test('what will never be done answers 501 with a sentence', async () => {
  await using shop = await startShop();
  for (const call of NEVER) {
    const { status, body } = await send(shop, call);
    expect([call, status, body.error]).toMatchObject([
      call,
      501,
      { code: 'not_built', message: expect.stringMatching(/^This stand-in does not offer .+\.$/) },
    ]);
  }
});
