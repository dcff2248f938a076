/**
 * The office on a house in which a newer version has stored words that this one does not know: no
 * screen breaks over one of them.
 */
import { expect } from 'vitest';
import { fillHouse, storeWord, wordColumns } from '#tests/server/running/unknown-words.ts';
import { desk, goTo, see, testOffice as test } from './office.ts';

test('no screen of the office breaks over a word that only a newer version knows', async (office) => {
  const { server } = office;
  await fillHouse(server, office.admin);
  const stored = new Map<string, Record<string, unknown>>();
  for (const column of wordColumns())
    stored.set(`${column.table}.${column.column}`, await storeWord(server, column));
  const idOf = (name: string) => String(stored.get(name)!['id']);
  const event = `/events/${idOf('events.status')}`;
  const order = `/orders/${idOf('orders.state')}`;
  const page = await office.open('/', { size: desk });
  page.setDefaultTimeout(30_000);
  const broken: string[] = [];
  page.on('pageerror', ({ message }) => broken.push(message));
  const screens = [
    '/events /shows /prices /orders /attention /messages /account',
    '/door/presence /door/scans /door/conflicts /door/phones /sell /sell/shifts',
    '/reports/sales /reports/payouts /reports/invoices /reports/book',
    '/settings/mail /settings/health /settings/registry /settings/programs/deliveries',
    '/settings/programs /settings/people /settings/tills',
    `${order} /orders/${idOf('orders.channel')} ${event} ${event}/seats ${event}/orders`,
    `${event}/guests ${event}/edit ${event}/queue /settings/mail/${idOf('mails.kind')}`,
    `/shows/${idOf('shows.kind')} /messages/${idOf('messages.act')}`,
  ].flatMap((line) => line.split(' '));
  for (const screen of screens) {
    await goTo(page, screen);
    await page.waitForLoadState('networkidle');
    if (await page.getByText('Unexpected Application Error').isVisible()) {
      broken.push(screen);
      await page.goto(`${server.url}/admin/`);
      await see(page.getByRole('heading', { level: 1 })).toBeVisible();
    } else if (/undefined|NaN/.test(await page.locator('main#content').innerText()))
      broken.push(`${screen}: ${await page.locator('main#content').innerText()}`);
  }
  expect(broken).toEqual([]);
});
