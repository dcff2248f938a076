/**
 * RULES W3 and W9: the table of routes, and what stands there while a screen is on its way or
 * cannot come, with nothing wrong for two accessibility engines.
 */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { expectNoFaults, followLink } from '#tests/support/faults.ts';
import { demoEvent } from '#tests/support/make.ts';
import { holdCalls, testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { screens } from '#tests/support/visit.ts';

const eventCall = `**/api/event/${demoEvent}/`;
const loadError = 'Oops... Si è verificato un errore :( Riprova più tardi...';
const title = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** From the home page by its own link: the event is read by the browser, as the server has drawn another page. */
async function goToEvent(page: Page): Promise<void> {
  await page.goto('/');
  await followLink(page.getByRole('link', { name: /La locandiera/ }));
}

test('§2, §7, §8: while the event loads there is a full-screen spinner; on load error, after two tries, "Oops... Si è verificato un errore :( Riprova più tardi...", and trying again brings the page; a screen that breaks, and one whose code does not come, say "Unexpected Application Error!" with a way on', async (at) => {
  const { page, countCalls } = at;
  const letGo = await holdCalls(page, eventCall);
  await goToEvent(page);
  const spinner = page.locator('.ui-spinner-full', { hasText: 'Caricamento…' });
  await see(spinner).toBeVisible();
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
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
  }
  await expectNoFaults(page, 'the event, still on its way');
  letGo();
  await see(title(page, 'La locandiera')).toBeVisible();
  await see(spinner).toHaveCount(0);
  await page.unroute(eventCall);

  const before = countCalls(/^GET \/api\/event\//);
  const message = 'Errore imprevisto. Riprova tra poco.';
  await page.route(eventCall, (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'unexpected', message } }),
  );
  await goToEvent(page);
  await see(page.getByText(loadError, { exact: true })).toBeVisible();
  await see(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await see(title(page, 'La locandiera')).toHaveCount(0);
  // A failed query is tried again while fewer than 2 attempts have been made.
  expect(countCalls(/^GET \/api\/event\//) - before).toBe(2);
  await see(page.getByRole('button', { name: 'Riprova' })).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'the event does not come');
  await page.unroute(eventCall);
  await page.getByRole('button', { name: 'Riprova' }).click();
  await see(title(page, 'La locandiera')).toBeVisible();
  await see(page.getByText(loadError)).toHaveCount(0);

  await page.route('**/chart.js*', (route) => route.abort());
  await page.goto(`/event/${demoEvent}`);
  await see(page.getByText('La pianta dei posti non si è caricata.')).toBeVisible();
  await expectNoFaults(page, 'the chart does not come');
  await page.route('**/api/**', (route) => route.abort());
  await followLink(
    page.getByRole('contentinfo').getByRole('link', { name: 'Condizioni di vendita' }),
  );
  await see(page.getByText(loadError)).toBeVisible();
  expect(at.troubles).toEqual([]);
  await page.unrouteAll();

  const broken = title(page, 'Unexpected Application Error!');
  // An answer of another shape than agreed, as from a machine in between.
  await page.route(eventCall, (route) =>
    route.fulfill({ json: { event: { id: demoEvent, title: 'Senza il resto' }, sales: null } }),
  );
  await goToEvent(page);
  await see(broken).toBeVisible();
  await expectNoFaults(page, 'a screen that breaks');
  const home = page.getByRole('link', { name: 'Torna alla pagina iniziale' });
  await see(home).toHaveAttribute('href', '/');
  await page.unroute(eventCall);
  await page.getByRole('button', { name: 'Riprova' }).click();
  await see(title(page, 'La locandiera')).toBeVisible();

  await page.goto('/');
  await page.route('**/assets/my-tickets*.js', (route) => route.abort());
  const tickets = page.getByRole('banner').getByRole('link', { name: 'I miei biglietti' });
  await followLink(tickets);
  await see(broken).toBeVisible();
  await page.unroute('**/assets/my-tickets*.js');
  await page.getByRole('button', { name: 'Riprova' }).click();
  await see(title(page, 'I miei biglietti')).toBeVisible();
}, 90_000);

test('§2: any other path says "Ti sei perso?" with a link to the home page "/", and /admin/* is the admin application, at any depth', async (at) => {
  const { page, server } = at;
  for (const path of [
    '/niente',
    '/event',
    `/event/${demoEvent}/altro`,
    '/orders',
    '/orders/uno/due',
    '/orders/uno/from_stripe_cs',
  ]) {
    const answer = await fetch(server.url + path);
    expect([path, answer.status, (await answer.text()).includes('Ti sei perso?')]).toEqual([
      path,
      404,
      true,
    ]);
  }
  for (const path of ['/admin', '/admin/', '/admin/orders', '/admin/una/strada/qualsiasi'])
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  await page.goto('/admin/una/strada/qualsiasi');
  await see(page.getByLabel('Password', { exact: true })).toBeVisible();

  // A click inside the app may lead to an address that is none, too.
  await goToEvent(page);
  await see(title(page, 'La locandiera')).toBeVisible();
  await page.evaluate(() => {
    history.pushState(null, '', '/da-qualche-parte');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await see(title(page, 'Ti sei perso?')).toBeVisible();
  await see(page).toHaveTitle('Pagina non trovata · Botteghino');
  // With the head and the foot of all other pages.
  const header = page.getByRole('banner');
  await see(header.getByRole('link', { name: /tutti gli spettacoli/ })).toHaveAttribute(
    'href',
    '/',
  );
  await see(
    page.getByRole('contentinfo').getByRole('link', { name: 'I miei biglietti' }),
  ).toBeVisible();
  await page.goBack();
  await see(title(page, 'La locandiera')).toBeVisible();
  await page.goto('/niente');
  await page.getByRole('link', { name: 'Torna alla pagina iniziale' }).click();
  await see(page.getByRole('heading', { name: 'In programma' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
});
