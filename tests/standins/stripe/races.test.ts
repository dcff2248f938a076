/** What happens at the same moment: double confirmations, payment against expiry, two processes on one file, and restarts in the middle of everything. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '#server/standins/kit/store.ts';
import { startStripe } from '#server/standins/stripe/server.ts';
import { stripeSchema } from '#server/standins/stripe/statements/schema.ts';
import { expect, test } from 'vitest';
import { refusalOf, startShop, type Shop } from './shop.ts';

const VISA = { payment_method: 'pm_card_visa', expected_amount: 5000 };

async function inFolder(work: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  try {
    await work(join(folder, 'standins.sqlite'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is true of a session and its money whatever happened to it. */
async function outcomeOf(shop: Shop, id: string): Promise<string> {
  const session = await shop.stripe.checkout.sessions.retrieve(id);
  const charges =
    session.payment_intent === null
      ? []
      : (await shop.stripe.charges.list({ payment_intent: session.payment_intent as string })).data;
  return `${session.status} ${session.payment_status}, ${charges.filter(({ paid }) => paid).length} charged`;
}

test('paying and expiring at once ends one way or the other, never both', async () => {
  await using shop = await startShop();
  const outcomes = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    const { id } = await shop.open();
    const expire = (): Promise<string> =>
      shop.stripe.checkout.sessions.expire(id).then(
        () => 'expired',
        () => 'refused',
      );
    const pay = async (): Promise<string> =>
      (await shop.confirm({ id }, VISA)).status === 200 ? 'paid' : 'refused';
    const said = (await Promise.all(round % 2 === 0 ? [expire(), pay()] : [pay(), expire()]))
      .toSorted()
      .join();
    outcomes.add(`${said}: ${await outcomeOf(shop, id)}`);
  }
  for (const outcome of outcomes)
    expect([
      'expired,refused: expired unpaid, 0 charged',
      'paid,refused: complete paid, 1 charged',
    ]).toContain(outcome);
  const ended = (
    await shop.stripe.events.list({
      types: ['checkout.session.completed', 'checkout.session.expired'],
      limit: 100,
    })
  ).data.map((event) => (event.data.object as { id: string }).id);
  expect(new Set(ended).size).toBe(ended.length);
  expect(ended).toHaveLength(40);
});

test('an answer to the bank and the end of the session meet: the money moves only if the session is paid', async () => {
  await using shop = await startShop();
  for (let round = 0; round < 20; round += 1) {
    const { id } = await shop.open();
    const asked = await shop.confirm(
      { id },
      { ...VISA, payment_method: 'pm_card_authenticationRequired' },
    );
    const approve = {
      next_action: asked.body.next_action?.id,
      outcome: 'approve',
      expected_amount: 5000,
    };
    await Promise.all([
      shop.confirm({ id }, approve),
      shop.stripe.checkout.sessions.expire(id).catch(() => null),
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

test('of many refunds at once no more is given back than was paid', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, VISA);
  const payment_intent = (await shop.stripe.checkout.sessions.retrieve(session.id))
    .payment_intent as string;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      shop.stripe.refunds.create({ payment_intent, amount: 700 }).then(
        () => 'given',
        () => 'refused',
      ),
    ),
  );
  expect(answers.filter((answer) => answer === 'given')).toHaveLength(7);
  expect((await shop.stripe.charges.list({ payment_intent })).data).toMatchObject([
    { amount_refunded: 4900 },
  ]);
});

test(
  'two processes on one file see the same sessions, charge each once, and no client hears of a lock',
  { timeout: 120_000 },
  async () => {
    await inFolder(async (file) => {
      await using shop = await startShop({ file });
      const store = openStore(file, stripeSchema);
      const other = await startStripe({
        store,
        now: () => shop.clock.now,
        port: 0,
        publicUrl: 'http://localhost/p',
      });
      try {
        expect(other.secretKey).toBe(shop.running.secretKey);
        const price = await shop.price(2500);
        const sessions = await Promise.all(
          Array.from({ length: 12 }, () =>
            shop.open({ line_items: [{ price: price.id, quantity: 2 }] }),
          ),
        );
        const statuses = await Promise.all(
          sessions.flatMap(({ id }) =>
            [shop.running.url, other.url, shop.running.url, other.url].map(
              async (url) =>
                (
                  await fetch(`${url}/v1/payment_pages/${id}/confirm`, {
                    method: 'POST',
                    headers: { 'Content-Type': 'application/json' },
                    body: JSON.stringify(VISA),
                  })
                ).status,
            ),
          ),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(12);
        expect(new Set(statuses)).toEqual(new Set([200, 400]));
        for (const { id } of sessions)
          expect(await outcomeOf(shop, id)).toBe('complete paid, 1 charged');
        // What the clock brings is brought once, whichever process is first.
        await Promise.all([shop.running.tick(), other.tick(), shop.running.tick(), other.tick()]);
        expect((await shop.stripe.balanceTransactions.list({ limit: 100 })).data).toHaveLength(12);
      } finally {
        await other.close();
        await store.close();
      }
    });
  },
);

test('a restart keeps what is still to come: a question, a debit on its way, a slow refund, a dispute', async () => {
  await inFolder(async (file) => {
    const before = await startShop({ file });
    const asked = await before.open();
    const question = await before.confirm(asked, {
      ...VISA,
      payment_method: 'pm_card_authenticationRequired',
    });
    const debit = await before.open();
    await before.confirm(debit, { ...VISA, payment_method: 'pm_successDelayed_at' });
    const slow = await before.open();
    await before.confirm(slow, { ...VISA, payment_method: 'pm_card_pendingRefund' });
    const refund = await before.stripe.refunds.create({
      payment_intent: (await before.stripe.checkout.sessions.retrieve(slow.id))
        .payment_intent as string,
    });
    const disputed = await before.open();
    await before.confirm(disputed, { ...VISA, payment_method: 'pm_card_createDispute' });
    await before[Symbol.asyncDispose]();

    await using after = await startShop({ file });
    expect(
      (
        await after.confirm(asked, {
          next_action: question.body.next_action?.id,
          outcome: 'approve',
          expected_amount: 5000,
        })
      ).body.status,
    ).toBe('complete');
    after.clock.now += 200_000;
    expect(await outcomeOf(after, debit.id)).toBe('complete paid, 1 charged');
    expect((await after.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
    expect((await after.stripe.disputes.list()).data).toHaveLength(1);
  });
});

test('a file that an older version wrote goes on: what was open ends, what was paid settles and can be refunded', async () => {
  await inFolder(async (file) => {
    const before = await startShop({ file });
    const open = await before.open({ expires_at: before.clock.now / 1000 + 1860 });
    const paid = await before.open();
    await before.confirm(paid, { ...VISA, email: 'anna@example.it' });
    await before[Symbol.asyncDispose]();
    const store = openStore(file, stripeSchema);
    // It knew neither the list of what is to come nor what a card goes on to do.
    await store.write(async (writer) => {
      await writer.run('DROP TABLE stripe_later');
      await writer.run(
        "UPDATE stripe_objects SET private = '{}' WHERE kind IN ('charge', 'payment_intent')",
      );
    });
    await store.close();

    await using after = await startShop({ file });
    await after.running.tick();
    const [charge] = (await after.stripe.charges.list()).data;
    expect(charge).toMatchObject({
      balance_transaction: expect.stringMatching(/^txn_/),
      receipt_number: expect.any(String),
    });
    expect(await after.stripe.refunds.create({ charge: charge!.id, amount: 100 })).toMatchObject({
      status: 'succeeded',
    });
    expect(
      await refusalOf(after.stripe.paymentIntents.cancel(charge!.payment_intent as string)),
    ).toMatchObject({ statusCode: 400 });
    after.clock.now += 1_860_000;
    expect(await outcomeOf(after, open.id)).toBe('expired unpaid, 0 charged');
  });
});
