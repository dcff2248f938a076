/** RULES W3: the table of routes, and what stands there while a screen is on its way or cannot come. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { screens, visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
const eventCall = `**/api/event/${demoEvent}/`;
const loadError = 'Oops... Si è verificato un errore :( Riprova più tardi...';
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** From the home page by its own link: the event is read by the browser, as the server has drawn another page. */
async function goToEvent(page: Page): Promise<void> {
  await page.goto('/');
  // Before the app has taken over, a link would load a page that the server draws.
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root')!).some((key) => key.startsWith('__reactContainer')),
  );
  await page.getByRole('link', { name: /La locandiera/ }).click();
}

for (const viewport of screens) {
  test(`§2: while the event loads there is a full-screen spinner, then the event page (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(eventCall, async (route) => {
      await held;
      await route.continue();
    });
    await goToEvent(page);
    const spinner = page.locator('.ui-spinner', { hasText: 'Caricamento…' });
    await see(spinner).toBeVisible(within);
    expect(await spinner.boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
    // Nothing of the page before shows through or can be pressed.
    const covered = await spinner.evaluate((cover) =>
      [
        [1, 1],
        [innerWidth - 2, 1],
        [innerWidth / 2, innerHeight / 2],
        [1, innerHeight - 2],
      ].every(([x, y]) => cover.contains(document.elementFromPoint(x!, y!))),
    );
    expect(covered).toBe(true);
    letGo();
    await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible(within);
    await see(spinner).toHaveCount(0);
    expect(visitor.troubles).toEqual([]);
  });

  test(`§2: on load error "Oops... Si è verificato un errore :( Riprova più tardi...", and trying again brings the page (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.route(eventCall, (route) =>
      route.fulfill({
        status: 500,
        json: { status: 500, code: 'internal', message: 'Qualcosa è andato storto.' },
      }),
    );
    await goToEvent(page);
    await see(page.getByText(loadError, { exact: true })).toBeVisible(within);
    await see(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
    await see(page.getByRole('heading', { name: 'La locandiera' })).toHaveCount(0);
    await page.unroute(eventCall);
    await page.getByRole('button', { name: 'Riprova' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible(within);
    await see(page.getByText(loadError)).toHaveCount(0);
  });

  test(`§2: both order routes are the same page, whatever the checkout's status says (${viewport.width} px)`, async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    const shown: string[] = [];
    for (const path of [
      '',
      '/from_stripe_cs/complete',
      '/from_stripe_cs/cancelled',
      '/from_stripe_cs/una-parola',
    ]) {
      await page.goto(`/orders/${order_id}${path}`);
      await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
      await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2, within);
      // The last part to come, as its rules are asked for by themselves.
      await see(page.getByText('il rimborso non si può più chiedere')).toBeVisible(within);
      shown.push(await page.locator('main').innerText());
    }
    expect(shown).toEqual(shown.map(() => shown[0]));
  });

  test(`§2: any other path says "Ti sei perso?" with a link to the home page "/" (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    for (const path of [
      '/niente',
      '/event',
      `/event/${demoEvent}/altro`,
      '/orders',
      '/orders/uno/due',
      '/orders/uno/from_stripe_cs',
    ]) {
      const answer = await page.goto(path);
      expect([path, answer!.status()]).toEqual([path, 404]);
      await see(page.getByRole('heading', { name: 'Ti sei perso?', exact: true })).toBeVisible(
        within,
      );
      await see(page.getByRole('link', { name: 'Torna alla pagina iniziale' })).toHaveAttribute(
        'href',
        '/',
      );
      // With the head and the foot of all other pages.
      await see(
        page.getByRole('banner').getByRole('link', { name: /tutti gli spettacoli/ }),
      ).toHaveAttribute('href', '/');
      await see(
        page.getByRole('contentinfo').getByRole('link', { name: 'I miei biglietti' }),
      ).toBeVisible();
    }
    await page.getByRole('link', { name: 'Torna alla pagina iniziale' }).click();
    await see(page.getByRole('heading', { name: 'In programma' })).toBeVisible(within);
    expect(new URL(page.url()).pathname).toBe('/');
  });
}

test('§2: an address that a click inside the app leads to, and that is none, says "Ti sei perso?" too', async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url);
  const { page } = visitor;
  await goToEvent(page);
  await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible(within);
  await page.evaluate(() => {
    history.pushState(null, '', '/da-qualche-parte');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await see(page.getByRole('heading', { name: 'Ti sei perso?', exact: true })).toBeVisible();
  await see(page).toHaveTitle('Pagina non trovata · Botteghino');
  await page.goBack();
  await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible(within);
});

test('§2: /admin/* is the admin application, at any depth', async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url);
  const { page } = visitor;
  for (const path of ['/admin', '/admin/', '/admin/orders', '/admin/una/strada/qualsiasi']) {
    const answer = await page.goto(path);
    expect([path, answer!.status()]).toEqual([path, 200]);
    await see(page.getByLabel('Password', { exact: true })).toBeVisible(within);
    await see(page.getByRole('heading', { name: 'Ti sei perso?' })).toHaveCount(0);
  }
});

test('§2: routing errors show a view titled "Unexpected Application Error!": a screen that breaks, and one whose code does not come', async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url);
  const { page } = visitor;
  const title = page.getByRole('heading', {
    level: 1,
    name: 'Unexpected Application Error!',
    exact: true,
  });
  await page.route(eventCall, (route) =>
    route.fulfill({ json: { event: { id: demoEvent, title: 'Senza il resto' }, sales: null } }),
  );
  await goToEvent(page);
  await see(title).toBeVisible(within);
  await page.getByRole('link', { name: 'Torna alla pagina iniziale' }).click();
  await see(page.getByRole('heading', { name: 'In programma' })).toBeVisible(within);
  await page.unroute(eventCall);

  await page.goto('/');
  await page.route('**/assets/my-tickets*.js', (route) => route.abort());
  await see(async () => {
    await page
      .getByRole('banner')
      .getByRole('link', { name: 'I miei biglietti' })
      .click({ timeout: 1_000 });
    await see(title).toBeVisible({ timeout: 1_000 });
  }).toPass(within);
  await page.unroute('**/assets/my-tickets*.js');
  await page.getByRole('button', { name: 'Riprova' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'I miei biglietti' })).toBeVisible(within);
});
