/** The order page in every state without tickets: two accessibility engines and the validator find nothing, in both themes, narrow and wide. */
import { see } from '#tests/support/browsers/see.ts';
import { test } from 'vitest';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { payAs } from '#tests/support/buyer.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { makeOrder } from '#tests/support/make.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';

test('an order that waits, one that has ended without tickets, one that is not there, and one that is not answered', async () => {
  await using at = await startVisit({ clock: true });
  const { page, server } = at;
  const { ctx } = server.house;
  const order = await makeOrder(server);
  const path = `/orders/${order.link_key}`;

  await page.goto(path);
  await see(
    page.getByRole('heading', { name: 'Il pagamento non è ancora concluso' }),
  ).toBeVisible();
  await expectNoFaults(page, 'for its payment');
  await page.getByRole('button', { name: 'Annulla l’ordine' }).click();
  await see(page.getByRole('alertdialog', { name: 'Vuoi annullare l’ordine?' })).toBeVisible();
  await see(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectNoFaults(page, 'for its payment, asked whether to give it up');
  await page.route('**/checkout_session', (route) => route.abort());
  await page.getByRole('button', { name: 'Sì, annulla l’ordine' }).click();
  // §7, §8: a network failure is told in Italian; behind it all stands as it was.
  const modal = page.getByRole('alertdialog', {
    name: 'Errore: Il sito non risponde: controlla la connessione.',
  });
  await see(modal).toBeVisible();
  await see(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectNoFaults(page, 'for its payment, and could not be given up');
  await page.keyboard.press('Escape');
  await see(modal).toHaveCount(0);
  await see(page.getByRole('alertdialog', { name: 'Vuoi annullare l’ordine?' })).toBeVisible();

  await payAs(server, order);
  const { payments } = ctx;
  ctx.payments = {
    ...payments,
    read: () => Promise.reject(new ProviderUnavailable('Stripe', 'no answer', null)),
  };
  await page.goto(`${path}/from_stripe_cs/complete`);
  await see(page.getByRole('heading', { name: 'Pagamento in corso di verifica…' })).toBeVisible();
  await page.clock.fastForward(12_000);
  await see(page.getByRole('link', { name: 'Prosegui' })).toBeVisible();
  await expectNoFaults(page, 'for the news of its payment, for long');

  await ctx
    .db('orders')
    .where({ id: order.order_id })
    .update({ state: 'booking', session_status: null, session_id: null });
  await page.goto(path);
  await see(page.getByRole('heading', { name: 'Stiamo preparando il pagamento…' })).toBeVisible();
  await expectNoFaults(page, 'for its checkout');

  ctx.payments = payments;
  const { order_id, link_key } = await makeOrder(server, { nth: 1 });
  const refunded = { paid_cents: 6400, refunded_cents: 6400 };
  const ends: [title: string, facts: object, isAudited?: true][] = [
    ['Sessione di pagamento scaduta.', { end_reason: 'session_expired' }, true],
    ['Pagamento non riuscito.', { end_reason: 'payment_failed' }],
    ['Ordine annullato.', { end_reason: 'cancelled_by_visitor' }],
    ['Ordine annullato.', { end_reason: 'seats_lost' }],
    ['Ordine annullato.', { end_reason: 'event_cancelled' }],
    ['Ordine annullato.', { end_reason: 'session_expired', ...refunded }, true],
  ];
  for (const [title, facts, isAudited] of ends) {
    await ctx
      .db('orders')
      .where({ id: order_id })
      .update({
        state: 'deleted',
        deleted_at: server.clock.now(),
        session_status: 'expired',
        paid_cents: 0,
        refunded_cents: 0,
        ...facts,
      });
    await page.goto(`/orders/${link_key}`);
    await see(page.getByRole('heading', { name: title })).toBeVisible();
    if (isAudited) await expectNoFaults(page, JSON.stringify(facts));
  }
  await page.goto('/orders/nessuno');
  await see(page.getByRole('heading', { name: 'Ordine non trovato' })).toBeVisible();
  await expectNoFaults(page, 'unknown');

  await page.route('**/api/orders/**', (route) => route.abort());
  await page.goto('/orders/qualcuno');
  await see(
    page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
  ).toBeVisible();
  await expectNoFaults(page, 'no answer');
});
