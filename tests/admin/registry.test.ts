/** Registro and the waiting work in a real browser: who did what is filtered and read, a change afterwards is told, work is done now or given up with a reason. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePhone } from '#server/contract/door/phones.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const never = new AbortController().signal;

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', phone],
] as const) {
  test(`who did what is found, old and new beside each other, and whoever changes it afterwards is told (${where})`, async () => {
    await using server = await startServer();
    const { ctx } = server.house;
    const admin = await makeAdmin(server);
    const { phone_id } = await makePairedPhone(server, admin, 'Varco A');
    await callOk(
      server,
      changePhone,
      { params: { phoneId: phone_id }, body: { name: 'Varco B' } },
      admin,
    );
    await sealRegistry(ctx, never);
    const page = await openDesk(browser, server, admin, { path: '/settings/registry', size });
    await see(page.getByText('Nome: Varco A → Varco B')).toBeVisible(within);
    await page.getByRole('button', { name: 'Verifica adesso' }).click();
    await see(page.getByText(/Integro fino al/)).toBeVisible(within);
    if (size === phone) await page.getByRole('button', { name: 'Filtri' }).click();
    await page.getByLabel('Che cosa').selectOption({ label: 'Telefono creato' });
    await see(page.getByText('Nome: Varco A → Varco B')).toHaveCount(0, within);
    await see(page.getByRole('link', { name: 'Varco B' })).toBeVisible();
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await ctx.db('audit').where({ action: 'phone_changed' }).update({ actor: 'user:nobody' });
    await page.getByRole('button', { name: 'Verifica adesso' }).click();
    await see(page.getByRole('alert')).toContainText(/Sigillo 1 .*è stato cambiato/, within);
    await page.context().close();
  });
}

test('work that does not succeed says what is missing, and a mail is given up with a reason', async () => {
  await using server = await startServer();
  const { ctx } = server.house;
  const admin = await makeAdmin(server);
  await makePaidOrder(server, { email: 'eva@example.it' });
  await ctx
    .db('outbox')
    .where({ task: 'send_mail' })
    .update({ last_error: 'Error: x', attempts: 3 });
  const page = await openDesk(browser, server, admin, { path: '/settings/health' });
  await page.getByLabel('Solo quelli non riusciti').check();
  const row = page.getByRole('listitem').filter({ hasText: 'E-mail da spedire' });
  await see(row).toContainText('Finché non riesce: chi la aspetta non la riceve.', within);
  expect(await auditPage(page)).toEqual([]);
  await row.getByRole('button', { name: 'Abbandona…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Abbandonare questo lavoro?' });
  await dialog.getByLabel('Motivo').fill('Non serve più');
  await dialog.getByRole('button', { name: 'Abbandona' }).click();
  await see(page.getByText('Nessun lavoro non riuscito.')).toBeVisible(within);
  expect(await ctx.db('mails').pluck('state')).toEqual(['dropped']);
  await page.context().close();
});
