/**
 * The waiting room in the office: switched on, watched, paused, told something and closed, each by
 * somebody who was asked first.
 */
import { expect } from 'vitest';
import { demoEvent } from '#tests/support/make.ts';
import { entrants, openNow, room } from '#tests/support/queue.ts';
import { confirm, expectGood, lookAgain, see, testOffice as test } from './office.ts';

test('the office switches the room on, sees it fill, pauses, tells, goes on and closes', async (office) => {
  const { server } = office;
  const page = await office.open(`/events/${demoEvent}`);
  await see(page.getByText('Serve quando arriva una folla.')).toBeVisible();
  await page.getByRole('link', { name: 'Apri la sala d’attesa' }).click();
  await page.getByRole('radio', { name: /^Accesa/ }).check();
  await page.getByLabel('Minuti per ogni turno').fill('500');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByText('Un turno dura da 2 a 60 minuti.')).toBeVisible();
  await page.getByLabel('Minuti per ogni turno').fill('12');
  await page.getByRole('checkbox', { name: /^Ritmo fisso/ }).check();
  await page.getByLabel('Persone al minuto').fill('120');
  await page.getByLabel('Codice per non aspettare').fill('SOCI-2026');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByText('Si raccoglie')).toBeVisible();
  await see(page.getByText('il numero segreto non si può più cambiare')).toBeVisible();

  await entrants(server, 3);
  await openNow(server);
  await lookAgain(page);
  await see(page.getByText('120 al minuto')).toBeVisible();
  await see(page.getByRole('link', { name: 'Come è stato estratto l’ordine' })).toBeVisible();
  await expectGood(page);

  await page.getByLabel('Messaggio a chi aspetta').fill('Restano posti in galleria.');
  await page.getByRole('button', { name: 'Mostra il messaggio' }).click();
  await see(page.getByRole('button', { name: 'Mostra il messaggio' })).toBeDisabled();
  await confirm(page, 'Metti in pausa…', 'Metti in pausa');
  await see(page.getByText('In pausa', { exact: true })).toBeVisible();
  expect(await room(server)).toMatchObject({
    phase: 'paused',
    message: 'Restano posti in galleria.',
    per_minute: 120,
    minutes: 12,
    has_code: true,
  });
  await confirm(page, 'Riprendi…', 'Riprendi');
  await see(page.getByText('In pausa', { exact: true })).toHaveCount(0);
  // After the draw the other settings may still change.
  await page.getByLabel('Minuti per ogni turno').fill('15');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see.poll(async () => (await room(server)).minutes).toBe(15);
  await confirm(page, 'Chiudi…', 'Chiudi la sala d’attesa');
  await see(page.getByText('Chiusa', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Evento', exact: true }).click();
  await see(
    page.getByRole('region', { name: 'Sala d’attesa' }).getByText('Chiusa', { exact: true }),
  ).toBeVisible();
  await expectGood(page);
});
