/** Calls meet: double confirmations, payment and expiry, refunds, and two servers on one file. */
import { openStore } from '#server/standins/kit/store.ts';
import { startStripe } from '#server/standins/stripe/server.ts';
import { stripeSteps } from '#server/standins/stripe/statements/schema.ts';
import { expect, test } from 'vitest';
import { ask, eventsOf, outcomeOf, sdkAt, startShop, testShop as it } from './shop.ts';
import { newFile } from '#tests/standins/new-file.ts';

const VISA = { payment_method: 'pm_card_visa' };
/** Whether it was done. */
const isDone = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  );

it('paying and expiring at once ends one way or the other, never both', async (shop) => {
  const { checkout } = shop.stripe;
  const rounds = 10;
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await shop.open();
    const expire = () => isDone(checkout.sessions.expire(id));
    const pay = async () => (await shop.confirm({ id }, VISA)).status === 200;
    const first = round % 2 === 0 ? expire() : null;
    const paid = pay();
    const expired = first ?? expire();
    const outcome = [await paid, await expired, await outcomeOf(shop, id)];
    expect([
      [true, false, 'complete paid, 1 charged'],
      [false, true, 'expired unpaid, 0 charged'],
    ]).toContainEqual(outcome);
  }
  const ended = (await eventsOf(shop.stripe))
    .filter(({ type }) => /^checkout\.session\.(completed|expired)$/.test(type))
    .map((event) => (event.data.object as { id: string }).id);
  expect([ended.length, new Set(ended).size]).toEqual([rounds, rounds]);
});

it('an answer to the bank and the end of the session meet: the money moves only if the session is paid', async (shop) => {
  for (let round = 0; round < 6; round += 1) {
    const { id } = await shop.open();
    const asked = await shop.confirm({ id }, { payment_method: 'pm_card_authenticationRequired' });
    const approve = { next_action: asked.body.next_action?.id, outcome: 'approve' };
    await Promise.all([
      shop.confirm({ id }, approve),
      isDone(shop.stripe.checkout.sessions.expire(id)),
      shop.confirm({ id }, approve),
      shop.confirm({ id }, { ...approve, outcome: 'refuse' }),
    ]);
    expect([
      'complete paid, 1 charged',
      'expired unpaid, 0 charged',
      'open unpaid, 0 charged',
    ]).toContain(await outcomeOf(shop, id));
  }
});

it('of many refunds at once no more is given back than was paid', async (shop) => {
  const { charges, refunds } = shop.stripe;
  const payment_intent = (await shop.pay()).payment_intent as string;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => isDone(refunds.create({ payment_intent, amount: 700 }))),
  );
  expect(answers.filter(Boolean)).toHaveLength(7);
  expect((await charges.list({ payment_intent })).data).toMatchObject([{ amount_refunded: 4900 }]);
});

test('two servers on one file are one account: each session is charged once, one key is one effect, and no client hears of a lock', async () => {
  using place = newFile();
  await using shop = await startShop(place);
  const store = openStore(place.file, stripeSteps);
  const publicUrl = 'http://localhost/p';
  const running = await startStripe({ store, now: () => shop.clock.now, port: 0, publicUrl });
  const other = { running, stripe: sdkAt(running.port, running.secretKey) };
  try {
    expect(running.secretKey).toBe(shop.running.secretKey);
    const price = (await shop.price(2500)).id;
    const line_items = [{ price, quantity: 2 }];
    const params = { mode: 'payment', success_url: 'http://localhost/ok', line_items } as const;
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const [here, there] = await Promise.all(
          [shop, other].map(({ stripe }) =>
            stripe.checkout.sessions.create(
              { ...params, line_items: [...line_items] },
              { idempotencyKey: `k${n}` },
            ),
          ),
        );
        expect(here!.id).toBe(there!.id);
        return here!.id;
      }),
    );
    const statuses = await Promise.all(
      ids.flatMap((id) =>
        [shop, other, shop, other].map(async (at) => {
          const form = 'payment_method=pm_card_visa&expected_amount=5000';
          return (await ask(at, `POST /v1/payment_pages/${id}/confirm`, { form })).status;
        }),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    for (const id of ids) expect(await outcomeOf(shop, id)).toBe('complete paid, 1 charged');
    // What the clock brings is brought once, whichever process is first.
    await Promise.all([shop, other, shop, other].map(({ running: one }) => one.tick()));
    expect((await shop.stripe.balanceTransactions.list({ limit: 100 })).data).toHaveLength(12);
    const events = shop.receiver.got.map(({ raw }) => (JSON.parse(raw) as { id: string }).id);
    expect(new Set(events).size).toBe(events.length);
  } finally {
    await running.close();
    await store.close();
  }
});
