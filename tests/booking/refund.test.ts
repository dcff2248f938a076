/**
 * A refund from the wish to the money, in a real browser against the whole product; and its words.
 */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { feesOf, totalOf, type Choice } from '#apps/booking/event/seats/choices.ts';
import { sayRefund } from '#apps/booking/order/refund/refund-status.ts';
import { sayUntil } from '#server/domain/time/dates.ts';
import { obstacleWords } from '#server/domain/payment/refund-words.ts';
import { obstacles, refundStates } from '#server/domain/payment/refund.ts';
import { feeEvent, makePaid, refundRows } from '#tests/support/refunds.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { screens } from '#tests/support/visit.ts';

test('the buyer chooses tickets, sees the sum and what is kept, confirms, and the ticket is no ticket any more', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  await server.house.ctx
    .db('events')
    .where({ id: feeEvent })
    .update({ refund_request: 'automatic' });
  const order = await makePaid(server);
  await page.goto(`/orders/${order.link_key}`);
  await see(page.getByText(/Puoi chiedere il rimborso fino (al|all’)/)).toBeVisible();
  await page.getByRole('button', { name: 'Chiedi un rimborso' }).click();
  await page.getByRole('checkbox').nth(1).uncheck();
  await see(page.getByText('Diritto di prevendita, non rimborsabile')).toBeVisible();
  await page.getByRole('button', { name: 'Chiedi il rimborso di 28,00 €' }).click();
  await see(page.getByRole('alertdialog', { name: 'Vuoi restituire 1 biglietto?' })).toBeVisible();
  expect(await refundRows(server, order.order_id)).toEqual([]);
  await page.getByRole('button', { name: 'Sì, chiedi 28,00 €' }).click();
  await see(
    page.getByText(
      'Il rimborso di 28,00 € è in corso. L’accredito può richiedere fino a 10 giorni lavorativi.',
    ),
  ).toBeVisible();
  await see(page.getByText('Con questo biglietto non si entra più.')).toHaveCount(1);
  expect(await page.getByRole('img', { name: /^Codice QR/ }).count()).toBe(1);
  await server.runDue();
  await see(page.getByText('Ti abbiamo rimborsato 28,00 €.')).toBeVisible();
  await page.getByRole('button', { name: 'Chiedi un rimborso' }).click();
  await page.getByRole('button', { name: 'Chiedi il rimborso di 28,00 €' }).click();
  await page.getByRole('button', { name: 'Sì, chiedi 28,00 €' }).click();
  await see(page.getByRole('heading', { name: 'Ordine rimborsato' })).toBeVisible();
  expect(await page.getByRole('img', { name: /^Codice QR/ }).count()).toBe(0);
});

test('fees are counted per place, and a missing price gives no sum', () => {
  const choice = (cents: number | null, fee_cents: number): Choice => ({
    object_id: 'x',
    is_area: true,
    name: 'x',
    traits: [],
    ticket_type: 'x',
    type_label: 'x',
    quantity: 2,
    cents,
    fee_cents,
    service_cents: fee_cents / 3,
    sold: null,
    list_cents: null,
    reason: null,
    whole: null,
  });
  const chosen = [choice(5900, 300), choice(0, 0)];
  expect(feesOf(chosen)).toEqual({ fee_cents: 300, service_cents: 100 });
  expect(totalOf(chosen)).toBe(5900);
  const per_order = { fee_cents: 200, service_cents: 200 };
  expect(feesOf(chosen, per_order)).toEqual({ fee_cents: 500, service_cents: 300 });
  expect([totalOf(chosen, per_order), totalOf(chosen.slice(1), per_order)]).toEqual([6100, 0]);
  const unknown = [choice(5600, 0), choice(null, 0)];
  expect([feesOf(unknown).fee_cents, totalOf(unknown)]).toEqual([0, null]);
});

test('days are said as they are spoken, and every state and obstacle has its sentence', () => {
  expect(
    [
      '2026-12-03T22:59:59.999Z',
      '2027-03-08T22:59:59.999Z',
      '2027-05-01T21:59:59.999Z',
      '2027-05-11T21:59:59.999Z',
    ].map(sayUntil),
  ).toEqual(['fino al 3 dicembre', 'fino all’8 marzo', 'fino al 1º maggio', 'fino all’11 maggio']);
  const sentences = refundStates.flatMap((state) =>
    (['stripe', 'manual'] as const).map((kind) =>
      sayRefund({ state, kind, amount_cents: 2800, decided_at: null }),
    ),
  );
  const cancelled = { state: 'canceled', kind: 'stripe', amount_cents: 2800 } as const;
  expect([
    sayRefund({ ...cancelled, decided_at: null }),
    sayRefund({ ...cancelled, decided_at: '2026-12-03T22:59:59.999Z' }),
  ]).toEqual([expect.stringContaining('ritirata'), expect.stringContaining('non è riuscito')]);
  for (const sentence of [...sentences, ...Object.values(obstacleWords)])
    expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  expect(Object.keys(obstacleWords).toSorted()).toEqual([...obstacles].toSorted());
});
