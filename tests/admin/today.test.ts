/** Oggi and what lies over every screen: the first glance, the search of everything, the keys. */
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { expectGood, see, testOffice as test } from './office.ts';

test('Oggi says this evening, today’s sales and what waits at one glance; from there whatever is looked for is found by keyboard alone', async (office) => {
  const { server } = office;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { db } = server.house.ctx;
  await db('events')
    .where({ id: demoEvent })
    .update({ starts_at: server.clock.now() + 60_000, doors_at: server.clock.now() - 60_000 });
  await db('orders').where({ id: order_id }).update({ needs_attention: 'amount_differs' });
  const page = await office.open('/', { colorScheme: 'dark' });
  const part = (name: string) => page.getByRole('region', { name });
  const tonight = part('Stasera');
  await see(tonight).toContainText('2 venduti');
  await see(part('Venduto oggi')).toContainText('2 biglietti in 1 ordine');
  await see(part('Da sistemare')).toContainText('1 ordine');
  await see(part('Da sistemare')).toContainText('Manca il server di posta.');
  const steps = part('Primi passi').getByRole('listitem');
  await see(steps.first()).toContainText('Adesso');
  await see(steps.first().getByRole('link')).toHaveAttribute('href', '/admin/settings/site');
  await see(steps.nth(1).getByRole('link')).toHaveAttribute(
    'href',
    '/admin/settings/guide#4-la-posta',
  );
  await see(part('Servizi e posta')).toContainText('Posta non configurata');
  await see(part('I prossimi sette giorni')).toBeVisible();
  await expectGood(page);
  await see(tonight.getByRole('link', { name: 'La locandiera' })).toHaveAttribute(
    'href',
    `/admin/events/${demoEvent}`,
  );

  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Cerca in tutto l’ufficio' });
  const line = dialog.getByRole('combobox');
  await see(line).toBeFocused();
  await page.keyboard.type('e');
  await see(dialog).toContainText('Scrivi almeno due lettere');
  await page.keyboard.type('va neri');
  await see(dialog.getByRole('option')).toHaveCount(1);
  await expectGood(page);
  await page.keyboard.press('Enter');
  await see(page).toHaveURL(new RegExp(`/orders/${order_id}$`));
  await see(dialog).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await see(line).toBeFocused();
  await page.keyboard.type('la');
  await see(dialog.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await line.fill('nessuno così');
  await see(dialog).toContainText('Niente con queste parole');
  await page.keyboard.press('Escape');
  await see(dialog).toHaveCount(0);
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Tasti' });
  await see(keys).toContainText('Ctrl K');
  await page.keyboard.press('Escape');
  await see(keys).toHaveCount(0);
  // On a screen with a field of its own "/" is that field's.
  await page.getByRole('link', { name: 'Spettacoli' }).click();
  await see(page.getByRole('searchbox')).toBeVisible();
  await page.keyboard.press('/');
  await see(page.getByRole('searchbox')).toBeFocused();
});
