/**
 * Registro and the waiting work in a real browser: who did what is filtered and read, a change
 * afterwards is told, work is done now or given up with a reason.
 */
import { expect } from 'vitest';
import { changePhone } from '#server/contract/door/phones.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, makePairedPhone } from '#tests/support/make.ts';
import { desk, expectGood, goTo, phone, see, testOffice as test } from './office.ts';

test('who did what is found, old and new beside each other, and whoever changes it afterwards is told; work that does not succeed says what is missing, and a mail is given up with a reason', async (office) => {
  const { server, admin } = office;
  const { ctx } = server.house;
  const { phone_id } = await makePairedPhone(server, admin, 'Varco A');
  const params = { phoneId: phone_id };
  await callOk(server, changePhone, { params, body: { name: 'Varco B' } }, admin);
  const { signal } = new AbortController();
  await sealRegistry(ctx, signal);
  const page = await office.open('/settings/registry', { size: phone });
  await see(page.getByText('Nome: Varco A → Varco B')).toBeVisible();
  await page.getByRole('button', { name: 'Verifica adesso' }).click();
  await see(page.getByText(/Integro fino al/)).toBeVisible();
  await page.getByRole('button', { name: 'Filtri' }).click();
  await page.getByLabel('Che cosa').selectOption({ label: 'Telefono creato' });
  await see(page.getByText('Nome: Varco A → Varco B')).toHaveCount(0);
  await see(page.getByRole('link', { name: 'Varco B' })).toBeVisible();
  await expectGood(page, [desk.width]);
  await ctx.db('audit').where({ action: 'phone_changed' }).update({ actor: 'user:nobody' });
  await page.getByRole('button', { name: 'Verifica adesso' }).click();
  await see(page.getByRole('alert')).toContainText(/Sigillo 1 .*è stato cambiato/);

  await makePaidOrder(server, { email: 'eva@example.it' });
  await ctx
    .db('outbox')
    .where({ task: 'send_mail' })
    .update({ last_error: 'Error: x', attempts: 3 });
  await goTo(page, '/settings/health');
  await page.getByLabel('Solo quelli non riusciti').check();
  const row = page.getByRole('listitem').filter({ hasText: 'E-mail da spedire' });
  await see(row).toContainText('Finché non riesce: chi la aspetta non la riceve.');
  await row.getByRole('button', { name: 'Abbandona…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Abbandonare questo lavoro?' });
  await dialog.getByLabel('Motivo').fill('Non serve più');
  await dialog.getByRole('button', { name: 'Abbandona' }).click();
  await see(page.getByText('Nessun lavoro non riuscito.')).toBeVisible();
  expect(await ctx.db('mails').pluck('state')).toEqual(['dropped']);
});
