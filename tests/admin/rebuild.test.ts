/** A sale that was lost in a restore is written again from its ticket, on a phone and at a desk. */
import { expect } from 'vitest';
import { skipRevisions } from '#db/seat/lost-revisions.ts';
import { mostLost } from '#server/domain/door/lost-revisions.ts';
import { groupCode } from '#server/domain/door/ticket-code.ts';
import { writeRestored } from '#server/services/kit/restored.ts';
import { codeOfPlace } from '#tests/support/door/phone.ts';
import { findSeats } from '#tests/support/make.ts';
import { expectGood, phone, see, testOffice as test } from './office.ts';

test('a typed code becomes a sale with the price that it had, and says so when it is known', async (office) => {
  const { server } = office;
  const page = await office.open('/sell/rebuild', { size: phone });
  await see(page.getByText('non è mai ripartito da una copia')).toBeVisible();
  const { db, now } = server.house.ctx;
  await skipRevisions(db, mostLost);
  const times = { copied_at: now() - 3_600_000, restored_at: now() - 60_000, recovered_at: now() };
  await writeRestored(db, { id: 'prova', ...times });
  await page.reload();
  const [first, second] = await findSeats(server);
  const field = page.getByLabel('Codice del biglietto');
  const find = async (code: string) => {
    await field.fill(code);
    await field.press('Enter');
  };
  const code = groupCode(await codeOfPlace(server, first!, 1));
  await find('8001120905420');
  await see(page.getByRole('alert')).toContainText('Non è un codice che si possa riconoscere');
  await find(code);
  await find(code);
  await find(await codeOfPlace(server, second!, 2));
  const price = page.getByLabel('Quanto era costato');
  await see(price).toHaveCount(2);
  await see(price.first()).toHaveValue('32,00');
  await page.getByLabel('Tipo').last().selectOption('ridotto');
  await price.first().fill('30,50');
  await expectGood(page);
  await page.getByLabel('Nome dell’acquirente').fill('Ada Rossi');
  await page.getByRole('button', { name: /^Ricostruisci la vendita/ }).click();
  await see(page.getByText('I biglietti che l’acquirente ha in mano valgono.')).toBeVisible();
  const wide = await office.open('/sell/rebuild');
  await wide.getByLabel('Codice del biglietto').fill(code);
  await wide.keyboard.press('Enter');
  await see(wide.getByRole('alert')).toContainText('Questo biglietto c’è già');
  await wide.getByRole('link', { name: /^ordine/ }).click();
  await see(wide.getByText('Vendita ricostruita dal biglietto')).toBeVisible();
  await see(wide.getByText('Ada Rossi').first()).toBeVisible();
  expect(server.logged).toEqual([]);
});
