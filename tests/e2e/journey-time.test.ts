/** The time that chosen seats are held: it is told, more can be had twice, and when it is over the page says so and begins again. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats, pressPay, takeSeats } from '#tests/support/visitor.ts';

test('the hold can be prolonged twice in its last five minutes and is told aloud under two; when it is over the seats are gone from the list, the page says so, and the visitor begins again', async () => {
  await using at = await startVisit({ viewport: screens[0], clock: true });
  const { page, server } = at;
  const secondsLeft = async () => {
    const told = await page.getByRole('timer').textContent();
    const [, minutes, seconds] = /(\d+):(\d\d)/.exec(told!)!;
    return Number(minutes) * 60 + Number(seconds);
  };
  /** Until so many seconds are left, on both sides. */
  const passTimeUntil = async (seconds: number) => {
    const ms = ((await secondsLeft()) - seconds) * 1_000;
    server.clock.advance(ms);
    await page.clock.fastForward(ms);
  };
  const warning = page.getByText('Il tempo sta per scadere: mancano meno di due minuti.');
  const more = page.getByRole('button', { name: 'Ho bisogno di più tempo' });
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  expect(await secondsLeft()).toBeGreaterThan(600);
  await see(more).toHaveCount(0);
  for (const time of [1, 2]) {
    await passTimeUntil(100);
    await see(warning).toHaveCount(1);
    await more.click(within);
    await expect.poll(secondsLeft, within).toBeGreaterThan(500);
    await see(warning).toHaveCount(0);
    expect(at.countCalls(/hold/)).toBeGreaterThanOrEqual(time);
  }
  await passTimeUntil(100);
  await see(warning).toHaveCount(1);
  await see(more).toHaveCount(0);

  await passTimeUntil(-2);
  await see(page.getByRole('region', { name: 'I tuoi posti' })).toContainText(
    'Tempo scaduto: i posti sono tornati disponibili.',
  );
  const sum = page.getByRole('status', { name: 'Posti scelti' });
  await see(sum).toHaveText('Nessun posto scelto');
  await page.getByRole('button', { name: 'Ricomincia' }).click(within);
  // The list is as he left it: the seats come back into the open row.
  await takeSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(sum).toContainText('2 posti · 64,00');
  await see(page.getByText('Tempo scaduto')).toHaveCount(0);
  await pressPay(page);
  expect([at.troubles, at.alerts]).toEqual([[], []]);
});
