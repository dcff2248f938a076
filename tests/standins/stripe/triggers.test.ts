/** The public fixtures of Stripe's command-line tool, driven over HTTP as the tool does: every call is answered, and the event is there. */
import { expect, test } from 'vitest';
import { startShop, type Shop } from './shop.ts';
import { NEVER, TRIGGERS, type Step } from './triggers.ts';

type Answers = Map<string, unknown>;

/** `${name:data.0.id}` -> that value of an earlier answer. */
function filled(text: string, answers: Answers): string {
  return text.replaceAll(/\$\{(\w+):([\w.]+)\}/g, (_, name: string, path: string) =>
    String(
      path.split('.').reduce((at, key) => (at as Record<string, unknown>)[key], answers.get(name)),
    ),
  );
}

/** A form with brackets; names that have brackets already are left alone. */
function* formOf(value: unknown, name = ''): Generator<[string, string]> {
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* formOf(inner, name === '' ? key : `${name}[${key}]`);
  else yield [name, String(value)];
}

async function send(shop: Shop, { call, params = {} }: Step, answers: Answers) {
  const [method, path] = filled(call, answers).split(' ') as [string, string];
  const form = new URLSearchParams(
    [...formOf(params)].map(([name, value]) => [name, filled(value, answers)]),
  );
  const answer = await fetch(
    `${shop.running.url}${path}${method === 'GET' ? `?${form.toString()}` : ''}`,
    {
      method,
      headers: {
        Authorization: `Bearer ${shop.running.secretKey}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: method === 'POST' ? form : undefined,
    },
  );
  return {
    status: answer.status,
    body: (await answer.json()) as { error?: { type: string; code?: string; message: string } },
  };
}

test('every trigger that concerns a ticket shop goes through, and leaves its event', async () => {
  await using shop = await startShop();
  for (const { event, steps } of TRIGGERS) {
    const since = Math.floor(shop.clock.now / 1000) + 1;
    shop.clock.now = since * 1000;
    const answers: Answers = new Map();
    for (const step of steps) {
      const { status, body } = await send(shop, step, answers);
      expect([event, step.call, status < 400 ? undefined : body.error]).toEqual([
        event,
        step.call,
        step.refused === undefined ? undefined : expect.objectContaining({ type: step.refused }),
      ]);
      answers.set(step.name, body);
    }
    // What comes by the clock: a dispute, the answer of a bank.
    shop.clock.now += 60_000;
    await shop.running.tick();
    const types = (await shop.stripe.events.list({ created: { gte: since }, limit: 100 })).data;
    expect(types.map(({ type }) => type)).toContain(event);
  }
});

test('what will never be done answers 501 with a sentence', async () => {
  await using shop = await startShop();
  for (const step of NEVER) {
    const { status, body } = await send(shop, step, new Map());
    expect([step.event, status, body.error?.code]).toEqual([step.event, 501, 'not_built']);
    expect(body.error!.message).toMatch(/^This stand-in does not offer .+\.$/);
  }
});
