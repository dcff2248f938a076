/** Price rules in a real browser: a 3x2 is added, tried in the box, changed and ended. */
import { expect, test } from 'vitest';
import { addHouseRule } from '#server/contract/price-rules.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { makePaid } from '#tests/support/refunds.ts';
import { typedGroup } from '#tests/support/typed-rules.ts';
import { expectGood, goTo, phone, see, startOffice } from './office.ts';

test('a 3x2 is written as a sentence while it is typed, tried in the box, sold by, changed and ended', async () => {
  await using office = await startOffice();
  const { server, admin } = office;
  await callOk(server, addHouseRule, { body: typedGroup({ free_every: null }) }, admin);
  const page = await office.open(`/events/${demoEvent}`);
  await page.getByRole('link', { name: 'Regole', exact: true }).click();
  await see(page.getByText('Qui non c’è ancora nessuna regola.')).toBeVisible();
  await see(page.getByRole('list', { name: 'Della casa' })).toContainText(
    'Da 20 posti, 10 % in meno.',
  );
  await expectGood(page, [1280, 768, 390]);

  await page.getByRole('button', { name: 'Aggiungi una regola' }).click();
  const dialog = page.getByRole('dialog', { name: 'Aggiungi una regola' });
  const save = dialog.getByRole('button', { name: 'Aggiungi la regola' });
  await see(dialog.getByLabel('Nome')).toBeFocused();
  await see(save).toBeDisabled();
  await see(dialog.getByText('Dai un nome alla regola')).toBeVisible();
  await page.keyboard.type('3x2');
  await dialog.getByLabel('Platea', { exact: true }).check();
  await dialog.getByLabel('Intero', { exact: true }).check();
  await dialog.getByRole('button', { name: 'Solo online' }).click();
  await see(dialog.getByText('Nessun biglietto è ancora venduto.')).toBeVisible();
  await see(dialog.locator('output')).toContainText(
    'Ogni 3 Interi in Platea, 1 gratis (il meno caro), al massimo 5 volte per acquisto, solo online.',
  );
  await expectGood(page, [1280, 390]);
  await dialog.getByLabel('Ogni quanti biglietti').fill('51');
  await see(dialog.getByText('Ogni quanti biglietti: da 2 a 50.')).toBeVisible();
  await see(save).toBeDisabled();
  await dialog.getByLabel('Ogni quanti biglietti').fill('3');
  await save.click();
  await see(dialog).toHaveCount(0);
  const rules = page.getByRole('list', { name: 'Regole di prezzo' });
  await see(rules).toContainText(
    'Non ancora usata · chi compra legge «3x2: il meno caro è gratis»',
  );

  await page.getByRole('button', { name: 'Calcola' }).click();
  const outcome = page.locator('main output');
  await see(outcome).toContainText('Totale 64,00 € invece di 96,00 €: 32,00 € in meno.');
  await see(page.getByRole('row', { name: /Intero/ }).first()).toContainText(
    '3x2: il meno caro è gratis',
  );
  await see(outcome).toContainText('«3x2» costa lo stesso');
  await page.getByRole('button', { name: 'Alla cassa', exact: true }).click();
  await page.getByRole('button', { name: 'Calcola' }).click();
  await see(outcome).toContainText('Totale 96,00 €, il listino: nessuna regola lo abbassa.');
  await expectGood(page, [1280, 390]);

  await makePaid(server, { event: demoEvent, count: 3 });
  await page.reload();
  await see(rules).toContainText('3 biglietti, 32,00 € in meno');
  await page.getByRole('button', { name: 'Cambia la regola 3x2' }).click();
  const change = page.getByRole('dialog', { name: 'Cambia la regola' });
  await see(change.getByText('I 3 biglietti già venduti restano come sono.')).toBeVisible();
  await change.getByRole('button', { name: 'A un prezzo' }).click();
  await change.getByLabel('Prezzo di ciascuno, in euro').fill('10');
  await change.getByRole('button', { name: 'Salva la regola' }).click();
  await see(change).toHaveCount(0);
  await see(rules).toContainText('Ogni 3 Interi in Platea, 1 a 10,00 € (il meno caro)');
  await see(rules).toContainText('3 biglietti, 32,00 € in meno');

  await page.getByRole('button', { name: /^Togli la regola 3x2/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Togliere «3x2»?' });
  await see(question).toContainText('I 3 biglietti già venduti restano come sono.');
  await question.getByRole('button', { name: 'Togli la regola' }).click();
  await see(question).toHaveCount(0);
  await see(page.getByRole('list', { name: 'Regole tolte' })).toContainText(
    '3x2 3 biglietti, 32,00 € in meno',
  );

  await page.setViewportSize(phone);
  await goTo(page, '/settings/prices');
  await see(page.getByRole('heading', { name: 'Prezzi', exact: true })).toBeVisible();
  await see(page.getByRole('list', { name: 'Regole di prezzo' })).toContainText('Scuole');
  await expectGood(page);
  const rows = await server.house.ctx.db('price_rules').whereNull('ended_at');
  expect(rows).toHaveLength(1);
}, 240_000);
