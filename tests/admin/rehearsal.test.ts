/** Prova generale in a real browser: made from an evening, walked through with a phone, turned, printed, made again and closed. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { changePhone } from '#server/contract/door/phones.ts';
import { makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone as small, within } from '#tests/support/door/desk.ts';
import { callOk, demoEvent, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', small],
] as const) {
  test(`a rehearsal is made like an evening, takes phones in, and shows its codes with their words (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await makePairedPhone(server, admin);
    const page = await openDesk(browser, server, admin, { path: '/door/rehearsals', size });
    await page.getByRole('button', { name: 'Nuova prova' }).click(within);
    await page.getByRole('button', { name: 'Prepara la prova' }).click(within);
    await see(
      page.getByRole('heading', { level: 1, name: 'Prova generale · La locandiera' }),
    ).toBeVisible(within);
    await page.getByRole('button', { name: 'Varco A partecipa' }).click(within);
    await see(page.getByRole('button', { name: 'Varco A partecipa' })).toHaveAttribute(
      'aria-pressed',
      'true',
      within,
    );
    await page.getByRole('button', { name: 'Ingrandisci il codice: RIMBORSATO' }).click();
    await see(page.getByRole('dialog', { name: 'RIMBORSATO' })).toContainText(
      'Chi l’aveva comprato ha riavuto i soldi.',
    );
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await page.context().close();
  });
}

test('what phones say is ticked off; the doors are turned, the sheet is printed, and a rehearsal is made again and closed', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const { event_id } = await callOk(
    server,
    makeRehearsal,
    { body: { event_id: demoEvent } },
    admin,
  );
  await callOk(
    server,
    changePhone,
    { params: { phoneId: phone.phone_id }, body: { event_ids: [event_id] } },
    admin,
  );
  const page = await openDesk(browser, server, admin, { path: `/door/rehearsals/${event_id}` });
  await see(page.getByText('0 di 21 già provati')).toBeVisible(within);
  const at = new Date(server.clock.now()).toISOString();
  await callOk(
    server,
    sendAdmissions,
    {
      body: {
        items: [
          {
            admission_id: 'rehearsal-0123456789',
            seq: 0,
            event_id,
            place: 'refunded-1',
            revision: 1,
            read: null,
            direction: 'in',
            gate: null,
            verdict: 'refunded',
            counts: false,
            override: null,
            scanned_at: at,
            corrected_at: at,
            offline: false,
          },
        ],
      },
    },
    phone.headers,
  );
  await see(page.getByText('1 di 21 già provati')).toBeVisible(within);
  await see(page.getByRole('listitem').filter({ hasText: 'RIMBORSATO' })).toContainText('Varco A');
  await page.getByRole('button', { name: 'Non ancora aperte' }).click();
  await see(page.getByText('Le porte della prova non sono aperte')).toBeVisible(within);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Foglio dei codici/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Prova generale La locandiera - foglio dei codici.pdf');
  await page.getByRole('button', { name: 'Ricomincia…' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Ricomincia', exact: true })
    .click();
  await see(page.getByText('0 di 21 già provati')).toBeVisible(within);
  await see(page.getByRole('button', { name: 'Varco A partecipa' })).toHaveAttribute(
    'aria-pressed',
    'true',
    within,
  );
  await page.getByRole('button', { name: 'Chiudi la prova…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chiudi la prova' }).click();
  await see(page.getByText(/Chiusa il \d/)).toBeVisible(within);
  await page.goto(`${server.url}/admin/door/rehearsals`);
  await see(page.getByRole('row').filter({ hasText: 'Chiusa' })).toHaveCount(2, within);
  expect(await auditPage(page)).toEqual([]);
  await page.context().close();
}, 60_000);
