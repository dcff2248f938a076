/**
 * The ways through the office: its entries and tabs by role, addresses of before, the bar on every
 * width, the colours.
 */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { may } from '#server/domain/user/rights.ts';
import { doorTabs, entries } from '#apps/admin/shell/navigation.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectFit, goTo, phone, see, testOffice as it } from './office.ts';

const named = (text: string) => text.replace(/\d+ in attesa/, '').trim();

test('each role has its entries, and the door its tabs', () => {
  const office = ['Oggi', 'Vendi', 'Spettacoli', 'Ordini', 'Da sistemare', 'Porta', 'Rapporti'];
  const door = ['Presenze', 'Letture', 'Conflitti', 'Telefoni', 'Prova generale'];
  for (const [role, bar, tabs] of [
    ['admin', [...office, 'Impostazioni'], door],
    ['office', office, door],
    ['cassa', ['Vendi', 'Spettacoli', 'Ordini'], []],
    ['viewer', ['Spettacoli', 'Porta', 'Rapporti'], ['Presenze']],
    ['door', ['Porta'], ['Presenze', 'Letture', 'Conflitti']],
  ] as const)
    for (const [ways, labels] of [
      [entries, bar],
      [doorTabs, tabs],
    ] as const)
      expect(ways.filter(({ right }) => may(role, right)).map(({ label }) => label)).toEqual(
        labels,
      );
});

it('entries and tabs lead to their screens and say where one is', async (office) => {
  const page = await office.open('/door');
  const links = (name: string) => page.getByRole('navigation', { name }).getByRole('link');
  await see(links('Porta')).toHaveCount(doorTabs.length);
  expect((await links('Porta').allTextContents()).map(named)).toEqual(
    doorTabs.map(({ label }) => label),
  );
  await see(page.getByRole('link', { name: 'Presenze', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  expect((await links('Sezioni').allTextContents()).map(named)).toEqual(
    entries.map(({ label }) => label),
  );
  await goTo(page, `/events/${demoEvent}`);
  const parts = links('Parti dell’evento');
  await see(parts).toHaveText([
    'Panoramica',
    'Pianta e blocchi',
    'Ordini',
    'Ospiti',
    'Prezzi',
    'Regole',
    'Porta',
    'Impostazioni',
  ]);
  for (const [tab, shown] of [
    ['Ordini', page.getByRole('searchbox')],
    ['Ospiti', page.getByRole('button', { name: 'Stampa l’elenco' })],
    ['Prezzi', page.getByRole('heading', { name: 'Prezzi' })],
    ['Regole', page.getByRole('heading', { name: 'Regole di prezzo' })],
    ['Porta', page.getByRole('region', { name: 'In sala adesso' })],
    ['Impostazioni', page.getByLabel('Titolo', { exact: true })],
    ['Panoramica', page.getByRole('heading', { name: 'Quando e dove' })],
  ] as const) {
    const link = parts.filter({ hasText: tab });
    await link.click();
    await see(shown.first()).toBeVisible();
    await see(link).toHaveAttribute('aria-current', 'page');
    await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible();
  }
  await links('Sezioni').filter({ hasText: 'Impostazioni' }).click();
  for (const [group, tabs] of [
    [
      'La casa',
      [
        'Sito e aspetto',
        'Prezzi',
        'Persone e ruoli',
        'Piante',
        'Stampanti e casse',
        'Dati personali',
      ],
    ],
    ['La macchina', ['Posta', 'Salute', 'Registro', 'Programmi', 'Mettere in scena']],
  ] as const)
    await see(page.getByRole('group', { name: group }).getByRole('link')).toHaveText([...tabs]);
}, 60_000);

it('the keyboard skips the bar; its entries have their names at every width and no number over a drawing; colours follow the system until somebody chooses', async (office) => {
  const page = await office.open('/orders');
  await see(page.getByRole('heading', { level: 1, name: 'Ordini' })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Vai al contenuto' });
  await see(skip).toBeFocused();
  await see(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);

  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ['rgb(246, 247, 250)', 'rgb(13, 17, 23)'];
  expect(await ground()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ground()).toBe(dark);
  await page.getByRole('button', { name: 'Colori del sistema' }).click();
  expect(await ground()).toBe(light);
  await page.route('**/api/admin/attention/count', (route) =>
    route.fulfill({ json: { count: 128 } }),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Colori chiari' }).click();
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await ground()).toBe(dark);
  await see(page.getByRole('button', { name: 'Colori scuri' })).toBeVisible();

  const waiting = page.getByRole('link', { name: 'Da sistemare 128 in attesa' });
  await see(waiting).toBeVisible();
  const word = waiting.getByText('Da sistemare');
  const isHidden = () => word.evaluate((node) => node.clientWidth <= 1);
  for (const width of [1440, 1024, phone.width]) {
    await page.setViewportSize({ width, height: 844 });
    const isPhone = width === phone.width;
    await expect.poll(isHidden).toBe(isPhone);
    if (isPhone) {
      // What still arrives above it moves it away from under the pointer.
      const isHiddenUnderPointer = async () => {
        await waiting.hover();
        return isHidden();
      };
      await expect.poll(isHiddenUnderPointer).toBe(false);
      await see(word).toBeInViewport({ ratio: 1 });
      await page.mouse.move(width - 10, 400);
    }
    const isCovered = await waiting.evaluate((link) => {
      const drawing = link.querySelector('svg')!.getBoundingClientRect();
      const number = link.lastElementChild!.getBoundingClientRect();
      return number.left < drawing.right && number.top < drawing.bottom;
    });
    expect([width, isCovered]).toEqual([width, false]);
    await expectFit(page, []);
  }
});

/** One of each kind of address: what stands for a number or a name in it says nothing new. */
function kindOf(path: string): string {
  return path.replace(/\/(events|shows|orders|shifts|event)\/[^/?]+/g, '/$1/:one').split('?')[0]!;
}

/**
 * Follows every link of the office from its first screen on; the answer tells which screens, files
 * and questions were refused.
 */
async function followAll(page: Page, origin: string) {
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(new URL(answer.url()).pathname);
  });
  const seen = new Set<string>();
  const ways = ['/admin/'];
  for (const way of ways) {
    if (seen.has(kindOf(way))) continue;
    seen.add(kindOf(way));
    await goTo(page, way.replace('/admin', ''));
    await see(page.getByLabel('Attesa')).toHaveCount(0);
    await see(page.locator('main h1').first()).toBeVisible();
    const title = await page.locator('main h1').first().innerText();
    if (title.includes('non è per il tuo ruolo')) refused.push(way);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of links.map((href) => new URL(href))) {
      if (link.origin !== origin) continue;
      if (link.pathname.startsWith('/admin')) ways.push(link.pathname + link.search);
      if (!link.pathname.startsWith('/api') || seen.has(link.pathname)) continue;
      seen.add(link.pathname);
      const { status } = await page.evaluate(
        (url) => fetch(url).then(({ status }) => ({ status })),
        link.href,
      );
      if (status >= 400) refused.push(link.pathname);
    }
  }
  return { seen: [...seen], refused };
}

it('whoever follows the links of the office meets no screen, file or question that is refused to the role; who knows the address of one is told so', async (office) => {
  const { server } = office;
  const { order_id } = await makePaidOrder(server);
  await openDrawer(server, await asRole(server, 'cassa'));
  for (const [role, last, others] of [
    ['viewer', '/admin/reports/files', [`/events/${demoEvent}/edit`]],
    ['cassa', '/admin/sell/sales', []],
    [
      'door',
      '/admin/door/conflicts',
      [`/orders/${order_id}`, `/events/${demoEvent}/seats`, '/reports/sales'],
    ],
  ] as const) {
    const page = await office.open('/account', { as: await asRole(server, role) });
    const { seen, refused } = await followAll(page, server.url);
    expect(seen).toContain(last);
    expect([role, refused]).toEqual([role, []]);
    for (const path of others) {
      await goTo(page, path);
      await see(page.getByText('Questa pagina non è per il tuo ruolo.')).toBeVisible();
      await see(page.getByText('«Amministratore», «Ufficio»')).toBeVisible();
    }
    if (role === 'viewer') {
      await goTo(page, '/events');
      await see(page.getByRole('link', { name: 'La locandiera' })).toBeVisible();
      await see(page.getByRole('button', { name: /^Duplica/ })).toHaveCount(0);
    }
    if (role === 'cassa') {
      await goTo(page, '/');
      await see(page).toHaveURL(/\/sell$/);
    }
    if (role === 'door') {
      await goTo(page, '/');
      await see(page).toHaveURL(/\/door\/scans$/);
      await see(page.getByRole('button', { name: 'Cerca' })).toHaveCount(0);
      await page.keyboard.press('Control+k');
      await see(page.getByRole('dialog')).toHaveCount(0);
    }
  }
});
