/** The other public screens, state by state: two accessibility engines and the validator find nothing, in both themes, narrow and wide. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { expectNoFaults, followLink, openPage } from '#tests/support/faults.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(
  'the home page: full, with what is over, empty, unreachable',
  { timeout: 120_000 },
  async () => {
    await using server = await startServer();
    const { db } = server.house.ctx;
    await using visitor = await openPage(browser, server.url);
    const { page } = visitor;
    const setDay = (days: number, id?: string) =>
      db('events')
        .where(id === undefined ? {} : { id })
        .update({ starts_at: server.clock.now() + days * 86_400_000, doors_at: null });

    await page.goto('/');
    await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible(within);
    await expectNoFaults(page, 'two evenings');
    const drawer = page.getByRole('dialog', { name: 'Info e contatti' });
    await page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
    await see(drawer.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible(within);
    await expectNoFaults(page, 'the drawer with contacts and legal texts');

    await setDay(-3, demoEvent);
    await page.goto('/');
    await page.getByText('1 spettacolo passato').click(within);
    await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible();
    await expectNoFaults(page, 'one evening to come, one over');

    await setDay(-3);
    await page.goto('/');
    await see(page.getByText('Nessuno spettacolo in programma, per ora.')).toBeVisible(within);
    await expectNoFaults(page, 'nothing to come');
    await page.getByText('2 spettacoli passati').click();
    await expectNoFaults(page, 'nothing to come, what is over unfolded');

    await page.goto('/privacy');
    await page.route('**/api/events/', (route) => route.abort());
    await followLink(page.getByRole('link', { name: /tutti gli spettacoli/ }));
    await see(
      page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
    ).toBeVisible(within);
    await expectNoFaults(page, 'no answer');
  },
);

test('I miei biglietti, with faults, and sent', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  await page.goto('/i-miei-biglietti');
  const send = page.getByRole('button', { name: 'Mandami i link' });
  await see(async () => {
    await send.click();
    await see(page.getByText('Scrivi il tuo indirizzo e-mail.')).toBeVisible({ timeout: 500 });
  }).toPass(within);
  await see(send).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'nothing was typed');
  await page.getByLabel('E-mail').fill('eva@');
  await send.click();
  await see(page.getByText('Questo indirizzo non è completo.')).toBeVisible();
  await see(send).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'half an address');
  await page.getByLabel('E-mail').fill('nessuno@example.it');
  await page.route('**/api/orders/find', (route) => route.abort());
  await send.click();
  await see(page.getByRole('alertdialog', { name: /^Errore: / })).toBeVisible(within);
  await see(send).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'not sent');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chiudi', exact: true }).click();
  await page.unrouteAll();
  await send.click();
  await see(page.getByRole('status', { name: 'Esito' })).toContainText(
    'nessuno@example.it',
    within,
  );
  await see(send).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'sent');
});

test(
  'a legal text that does not come, and a screen that breaks',
  { timeout: 120_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await openPage(browser, server.url);
    const { page } = visitor;
    await page.goto('/');
    await page.route('**/api/**', (route) => route.abort());
    await followLink(
      page.getByRole('contentinfo').getByRole('link', { name: 'Condizioni di vendita' }),
    );
    await see(
      page.getByText('Oops... Si è verificato un errore :( Riprova più tardi...'),
    ).toBeVisible(within);
    await expectNoFaults(page, 'a legal text that does not come');
    await page.unrouteAll();

    await page.goto('/');
    // An answer of another shape than agreed, as from a machine in between.
    await page.route('**/api/event/**', (route) => route.fulfill({ json: { event: 1 } }));
    await followLink(page.getByRole('link', { name: /La locandiera/ }));
    await see(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible(
      within,
    );
    await expectNoFaults(page, 'a screen that breaks');
    expect(
      await page.getByRole('link', { name: 'Torna alla pagina iniziale' }).getAttribute('href'),
    ).toBe('/');
  },
);
