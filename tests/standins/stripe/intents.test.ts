/** Payment intents of another shop on the account, without the hosted page: confirmed by call, authenticated on a page of their own, captured later, cancelled. */
import { expect, test } from 'vitest';
import { refuses, startShop } from './shop.ts';

const FACTS = { amount: 5000, currency: 'eur' };
const VISA = { payment_method: 'pm_card_visa' };
const UNEXPECTED = { statusCode: 400, code: 'payment_intent_unexpected_state' };

test('an intent is made, changed until it is paid, given another card after a refused one, and confirmed', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  const { id } = await paymentIntents.create(FACTS);
  await refuses(UNEXPECTED, paymentIntents.confirm(id));
  expect(await paymentIntents.update(id, { amount: 5100 })).toMatchObject({ amount: 5100 });
  await refuses(
    { type: 'StripeCardError', payment_intent: { status: 'requires_payment_method' } },
    paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }),
  );
  const paid = { status: 'succeeded', amount_received: 5100 };
  expect(await paymentIntents.confirm(id, VISA)).toMatchObject(paid);
  await refuses(
    UNEXPECTED,
    paymentIntents.confirm(id, VISA),
    paymentIntents.cancel(id),
    paymentIntents.update(id, { amount: 3000 }),
  );
});

test('an intent that needs its buyer has a page of its own, ends as the page says, and is paid by hand only when the shop says so again', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  for (const [outcome, more, status, state] of [
    ['approve', {}, 'succeeded', 'complete'],
    ['refuse', {}, 'requires_payment_method', 'expired'],
    ['approve', { confirmation_method: 'manual' }, 'requires_confirmation', undefined],
  ] as const) {
    const return_url = 'http://localhost/indietro?a=1';
    const intent = await paymentIntents.create({
      ...FACTS,
      ...more,
      return_url,
      confirm: true,
      payment_method: 'pm_card_threeDSecure2Required',
    });
    const { id, client_secret: secret } = intent;
    const url = `http://localhost:3000/standins/stripe/c/pay/${secret}`;
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { redirect_to_url: { return_url, url } },
    });
    const page = { id: secret! };
    const shown = await shop.page(page);
    expect(shown).toMatchObject({
      status: 'open',
      amount_total: 5000,
      success_url: `${return_url}&payment_intent=${id}&payment_intent_client_secret=${secret}&redirect_status=succeeded`,
    });
    await shop.confirm(page, { next_action: shown.next_action!.id, outcome });
    expect(await paymentIntents.retrieve(id)).toMatchObject({ status });
    if (state) expect(await shop.page(page)).toMatchObject({ status: state, next_action: null });
    else expect(await paymentIntents.confirm(id)).toMatchObject({ status: 'succeeded' });
  }
});

test('nobody reaches an intent’s page by its id alone, nor a session’s intent by its secret or by a call', async () => {
  await using shop = await startShop();
  const { checkout, paymentIntents } = shop.stripe;
  const asking = { payment_method: 'pm_card_threeDSecure2Required' };
  const intent = await paymentIntents.create({ ...FACTS, ...asking, confirm: true });
  const session = await shop.open();
  await shop.confirm(session, asking);
  const { id, client_secret } = (await paymentIntents.list({ limit: 1 })).data[0]!;
  for (const guess of [intent.id, `${intent.id}_secret_${'x'.repeat(25)}`, client_secret])
    expect((await fetch(`${shop.running.url}/v1/payment_pages/${guess}`)).status).toBe(404);
  await refuses(
    { ...UNEXPECTED, message: expect.stringContaining(session.id) },
    paymentIntents.cancel(id),
    paymentIntents.confirm(id, VISA),
    paymentIntents.capture(id),
  );
  await refuses(UNEXPECTED, paymentIntents.update(id, { amount: 3000 }));
  expect((await checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('money can be set aside and taken in part, or let go', async () => {
  await using shop = await startShop();
  const { paymentIntents, refunds } = shop.stripe;
  const hold = async () => {
    const held = { ...VISA, confirm: true, capture_method: 'manual' } as const;
    return (await paymentIntents.create({ ...FACTS, ...held })).id;
  };
  const id = await hold();
  await refuses({ code: 'charge_not_refundable' }, refunds.create({ payment_intent: id }));
  await refuses(
    { code: 'amount_too_large', param: 'amount_to_capture' },
    paymentIntents.capture(id, { amount_to_capture: 5001 }),
  );
  const taken = { amount_received: 3000, amount_capturable: 0 };
  expect(await paymentIntents.capture(id, { amount_to_capture: 3000 })).toMatchObject(taken);
  expect(await refunds.create({ payment_intent: id })).toMatchObject({ amount: 3000 });
  const other = await hold();
  expect(await paymentIntents.cancel(other)).toMatchObject({ amount_capturable: 0 });
  await refuses(UNEXPECTED, paymentIntents.capture(other));
});

test('sums, currencies and ways to pay that do not go together are refused; so is a card that must be authenticated without its buyer', async () => {
  await using shop = await startShop();
  const { charges, paymentIntents } = shop.stripe;
  const asking = { payment_method: 'pm_card_authenticationRequired', confirm: true };
  const wallet = { payment_method_data: { type: 'satispay' } } as const;
  for (const [asked, refusal] of [
    [{ amount: 49 }, { code: 'amount_too_small', param: 'amount' }],
    [{ currency: 'xyz' }, { param: 'currency' }],
    [{ ...wallet, confirm: true }, { param: 'return_url' }],
    [{ ...asking, off_session: true }, { code: 'authentication_required' }],
  ] as [object, object][])
    await refuses(refusal, paymentIntents.create({ ...FACTS, ...asked }));
  const cards = await paymentIntents.create({ ...FACTS, allowed_payment_method_types: ['card'] });
  await refuses(
    { code: 'payment_intent_incompatible_payment_method' },
    paymentIntents.confirm(cards.id, wallet),
  );
  expect((await charges.list()).data).toEqual([]);
});
