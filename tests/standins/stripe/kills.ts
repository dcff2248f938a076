/** Kills a stand-in at random moments: it does nothing twice and keeps what it answered. */
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import { freePort, startChild } from '#tests/standins/standins-child.ts';
import { makePrice, sdkAt } from './shop.ts';
import { newFile } from '#tests/standins/new-file.ts';

export const KEY = 'sk_test_durability0123456789';

const session = { mode: 'payment', success_url: 'http://localhost/ok' } as const;

export async function killAtRandomMoments(rounds: number): Promise<void> {
  using place = newFile();
  const port = await freePort();
  const options = ['--stripe-port', `${port}`, '--file', place.file, '--secret-key', KEY];
  let child = await startChild(options);
  const stripe = sdkAt(port, KEY, { timeout: 10_000 });
  const { price, payment_intent } = await payOnce(stripe, port);
  const answered = new Map<string, string>();
  const asked: string[] = [];

  /** One call per key, always with the same parameters. */
  async function call(key: string): Promise<void> {
    const under = { idempotencyKey: key };
    const line_items = [{ price, quantity: 1 }];
    const { id } = key.startsWith('session')
      ? await stripe.checkout.sessions.create(
          { ...session, client_reference_id: key, line_items },
          under,
        )
      : await stripe.refunds.create({ payment_intent, amount: 10, metadata: { key } }, under);
    expect([key, answered.get(key) ?? id]).toEqual([key, id]);
    answered.set(key, id);
  }

  for (let round = 0; round < rounds; round += 1) {
    const keys = [1, 2, 3, 4].flatMap((n) => [`session-${round}-${n}`, `refund-${round}-${n}`]);
    asked.push(...keys);
    // A client that does not know how the last round ended sends its calls again.
    const calls = [...keys, ...asked.slice(-16, -8)].map((key) => call(key));
    const ended = Promise.allSettled(calls);
    await new Promise((resolve) => {
      setTimeout(resolve, Math.random() * 40);
    });
    await child.stop();
    for (const outcome of await ended)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toBeInstanceOf(Stripe.errors.StripeError);
    child = await startChild(options);
  }
  for (const key of [...asked, ...asked.slice(0, 20)]) await call(key);

  const pages = { limit: 10_000 };
  const sessions = await stripe.checkout.sessions.list({ limit: 100 }).autoPagingToArray(pages);
  const refunds = await stripe.refunds.list({ limit: 100 }).autoPagingToArray(pages);
  const there = [
    ...sessions.flatMap(({ client_reference_id: key }) => key ?? []),
    ...refunds.map(({ metadata }) => metadata!['key']!),
  ];
  expect(there.toSorted()).toEqual(asked.toSorted());
  const [charge] = (await stripe.charges.list({ payment_intent })).data;
  expect(charge!.amount_refunded).toBe(refunds.length * 10);
  await child.stop();
}

/** A price of 900 euros, and a charge of it that refunds can be made of. */
async function payOnce(
  stripe: Stripe,
  port: number,
): Promise<{ price: string; payment_intent: string }> {
  const price = await makePrice(stripe, 90_000);
  const { id } = await stripe.checkout.sessions.create({
    ...session,
    line_items: [{ price, quantity: 1 }],
  });
  const confirmed = await fetch(`http://127.0.0.1:${port}/v1/payment_pages/${id}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ payment_method: 'pm_card_visa', expected_amount: '90000' }),
  });
  expect(confirmed.status).toBe(200);
  const [charge] = (await stripe.charges.list()).data;
  return { price, payment_intent: charge!.payment_intent as string };
}
