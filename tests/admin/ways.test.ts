/** The ways through the office: its entries and tabs by role, addresses of before, the bar on every width, the colours. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const named = (text: string) => text.replace(/\d+ in attesa/, '').trim();

test('each role has its entries, and each entry and event its tabs', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  for (const [person, entries, doorTabs] of [
    [
      admin,
      [
        'Oggi',
        'Vendi',
        'Spettacoli',
        'Ordini',
        'Da sistemare',
        'Porta',
        'Rapporti',
        'Impostazioni',
      ],
      ['Presenze', 'Letture', 'Conflitti', 'Telefoni', 'Prova generale'],
    ],
    [
      await asRole(server, 'office'),
      ['Oggi', 'Vendi', 'Spettacoli', 'Ordini', 'Da sistemare', 'Porta', 'Rapporti'],
      ['Presenze', 'Letture', 'Conflitti', 'Telefoni', 'Prova generale'],
    ],
    [await asRole(server, 'door'), ['Porta'], ['Presenze', 'Letture', 'Conflitti']],
  ] as const) {
    const page = await openDesk(browser, server, person, { path: '/door' });
    const tabs = page.getByRole('navigation', { name: 'Porta' }).getByRole('link');
    await see(tabs).toHaveCount(doorTabs.length, within);
    expect((await tabs.allTextContents()).map(named)).toEqual(doorTabs);
    await see(page.getByRole('link', { name: 'Presenze', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    const bar = page.getByRole('navigation', { name: 'Sezioni' }).getByRole('link');
    expect((await bar.allTextContents()).map(named)).toEqual(entries);
    await page.context().close();
  }
  const page = await openDesk(browser, server, admin, { path: `/events/${demoEvent}` });
  const parts = page.getByRole('navigation', { name: 'Parti dell’evento' });
  await see(parts.getByRole('link')).toHaveText(
    ['Panoramica', 'Pianta e blocchi', 'Ordini', 'Ospiti', 'Prezzi', 'Porta', 'Impostazioni'],
    within,
  );
  for (const [tab, shown] of [
    ['Ordini', page.getByRole('searchbox')],
    ['Ospiti', page.getByRole('button', { name: 'Stampa l’elenco' })],
    ['Prezzi', page.getByRole('heading', { name: 'Prezzi' })],
    ['Porta', page.getByRole('region', { name: 'In sala adesso' })],
    ['Impostazioni', page.getByLabel('Titolo', { exact: true })],
    ['Panoramica', page.getByRole('heading', { name: 'Quando e dove' })],
  ] as const) {
    const link = parts.getByRole('link', { name: tab });
    await link.click();
    await see(shown.first()).toBeVisible(within);
    await see(link).toHaveAttribute('aria-current', 'page');
    await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Impostazioni' }).first().click();
  await see(page.getByRole('navigation', { name: 'Impostazioni' }).getByRole('link')).toHaveText(
    [
      'Sito e aspetto',
      'Persone e ruoli',
      'Piante',
      'Posta',
      'Salute',
      'Mettere in scena',
      'Registro',
      'Dati personali',
      'Programmi',
      'Stampanti e casse',
    ],
    within,
  );
  await page.context().close();
}, 60_000);

test('an address of before leads on, with all that followed it', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/' });
  for (const [old, now] of [
    ['/admissions?ticket=abc&scan=d', '/door/scans?ticket=abc&scan=d'],
    ['/presence?event_id=la-locandiera', '/door/presence?event_id=la-locandiera'],
    ['/conflicts?show=all', '/door/conflicts?show=all'],
    ['/phones', '/door/phones'],
    ['/rehearsals', '/door/rehearsals'],
    ['/rehearsals/la-prova', '/door/rehearsals/la-prova'],
    ['/mailbox?state=failed', '/settings/mail?state=failed'],
    ['/mailbox/abc', '/settings/mail/abc'],
    ['/charts', '/settings/charts'],
    ['/site', '/settings/site'],
    ['/health', '/settings/health'],
    ['/sell/tills', '/settings/tills'],
  ] as const) {
    await page.goto(`${server.url}/admin${old}`);
    await see(page).toHaveURL(`${server.url}/admin${now}`, within);
  }
  await page.context().close();
}, 60_000);

for (const size of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, phone])
  test(`at ${size.width} pixels every entry has its name, and a number never covers a drawing`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const page = await openDesk(browser, server, admin, { path: '/orders', size });
    await page
      .context()
      .route('**/api/admin/attention/count', (route) => route.fulfill({ json: { count: 128 } }));
    await page.reload();
    const waiting = page.getByRole('link', { name: 'Da sistemare 128 in attesa' });
    await see(waiting).toBeVisible(within);
    const word = waiting.getByText('Da sistemare');
    if (size.width >= 1100) await see(word).toBeInViewport({ ratio: 1 });
    else {
      const hidden = () => word.evaluate((node) => node.clientWidth <= 1);
      expect(await hidden()).toBe(true);
      // What still arrives above it moves it away from under the pointer.
      const shownUnderPointer = async () => {
        await waiting.hover();
        return !(await hidden());
      };
      await expect.poll(shownUnderPointer).toBe(true);
      await see(word).toBeInViewport({ ratio: 1 });
      await page.mouse.move(size.width - 10, 400);
    }
    const covered = await waiting.evaluate((link) => {
      const drawing = link.querySelector('svg')!.getBoundingClientRect();
      const number = link.lastElementChild!.getBoundingClientRect();
      return number.left < drawing.right && number.top < drawing.bottom;
    });
    expect(covered).toBe(false);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await page.context().close();
  });

test('colours follow the system until somebody chooses, and the choice stays', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/orders', size: desk });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ['rgb(246, 247, 250)', 'rgb(13, 17, 23)'];
  await page.emulateMedia({ colorScheme: 'light' });
  await see(page.getByRole('button', { name: 'Colori del sistema' })).toBeVisible(within);
  expect(await ground()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ground()).toBe(dark);
  await page.getByRole('button', { name: 'Colori del sistema' }).click();
  expect(await ground()).toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'Colori chiari' }).click(within);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await ground()).toBe(dark);
  await see(page.getByRole('button', { name: 'Colori scuri' })).toBeVisible();
  await page.context().close();
});

test('the keyboard skips the bar', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/orders' });
  await see(page.getByRole('heading', { level: 1, name: 'Ordini' })).toBeVisible(within);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Vai al contenuto' });
  await see(skip).toBeFocused();
  await see(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  await page.context().close();
});

/** One of each kind of address: what stands for a number or a name in it says nothing new. */
function kindOf(path: string): string {
  return path.replace(/\/(events|shows|orders|shifts|event)\/[^/?]+/g, '/$1/:one').split('?')[0]!;
}

/** As a click inside the office does it: the next screen, without fetching the whole office again. */
async function openWay(page: Page, way: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({ idx: 0 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, way);
  await see(page.getByLabel('Attesa')).toHaveCount(0, within);
  await see(page.locator('main h1').first()).toBeVisible(within);
}

/** Follows every link of the office from its first screen on; the answer tells which screens, files and questions were refused. */
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
    await openWay(page, way);
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

test('whoever follows the links of the office meets no screen, file or question that is refused to the role', async () => {
  await using server = await startServer();
  await makeAdmin(server);
  await makePaidOrder(server);
  await openDrawer(server, await asRole(server, 'cassa'));
  for (const [role, last] of [
    ['viewer', '/admin/reports/files'],
    ['cassa', '/admin/sell/sales'],
    ['door', '/admin/door/conflicts'],
  ] as const) {
    const page = await openDesk(browser, server, await asRole(server, role), { path: '/account' });
    const { seen, refused } = await followAll(page, server.url);
    expect(seen).toContain(last);
    expect([role, refused]).toEqual([role, []]);
    await page.context().close();
  }
});
