/**
 * Accrediti in a real browser: what is on its way, a payout line by line, and a difference that is
 * named and leads to where it is settled.
 */
import { makePaid, passTime } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectGood, phone, see, testOffice as test } from './office.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('payouts say whether they agree, and which line does not', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const order = await makePaid(server);
  const as = await asRole(server, 'office');
  const page = await office.open('/reports/payouts', { as });
  await see(page.getByText('Nessun accredito, finora.')).toBeVisible();
  await page.close();
  for (const wait of [hour, 8 * day, 2 * hour]) await passTime(server, wait);
  await makePaid(server, { nth: 1 });
  await passTime(server, hour);
  // Our own book says another sum than Stripe.
  await db('payments').where({ order_id: order.order_id }).update({ amount_cents: 5_800 });
  const later = await office.open('/reports/payouts', { as: await asRole(server, 'office') });
  await later.getByRole('button', { name: 'Rileggi da Stripe' }).click();
  await see(later.getByText(/Lettura avviata/)).toBeVisible();
  await server.runDue();
  await later.reload();
  await see(later.getByText('1 differenza')).toBeVisible();
  await see(later.getByText('57,86 € netti in 1 movimento')).toBeVisible();
  await expectGood(later);
  await later.getByRole('row').getByRole('link').first().click();
  await see(later.getByText(/59,00\s€ su Stripe, 58,00\s€ qui/)).toBeVisible();
  await see(later.getByText('Somma delle righe')).toBeVisible();
  await later.setViewportSize(phone);
  await expectGood(later);
  await later.getByRole('link', { name: 'Sistema la differenza' }).click();
  await see(later.getByText('Un accredito di Stripe non quadra')).toBeVisible();
});
