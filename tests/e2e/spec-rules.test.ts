/** RULES S1 and P2: what may be selected, what is refused before anything is sent, and how prices are written. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { demoEvent } from '#tests/support/make.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens } from '#tests/support/visit.ts';
import { chooseSeats, takeSeats } from '#tests/support/visitor.ts';

test('§5: no orphan seat may be left, seats must be consecutive and in one row: it is said beside the seats and at the button; with none "Seleziona prima i posti..." is alerted; nothing of it is sent; a missing price shows "N/D" instead of a sum that is too low', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, alerts } = at;
  const chosen = page.getByRole('region', { name: 'I tuoi posti' });
  const notice = chosen.getByRole('status', { name: 'Avviso' });
  const pay = () => page.locator('.event-seats-selection-summary_button').click();
  /**
   * Said in its line, which the button brings into view; alerts are for what the specification
   * names.
   */
  const expectRefused = async (words: string) => {
    await see(notice).toContainText(words);
    await pay();
    await see(page.getByRole('heading', { name: 'I tuoi posti', exact: true })).toBeFocused();
    await see(notice).toBeInViewport();
    expect([alerts, at.countCalls(/^POST .*\/book$/)]).toEqual([[], 0]);
  };
  const putBack = async (seat: string) => {
    const takeAway = page.getByRole('button', { name: new RegExp(`^Togli .*${seat}`) });
    await takeAway.click();
    await see(takeAway).toHaveCount(0);
  };
  await page.goto(eventPage);
  // What will tell it is there before it has anything to tell, as screen readers need it.
  await see(notice).toBeEmpty();
  await chooseSeats(page, { row: 'C', seats: ['2'] });
  await expectRefused('Così resterebbe un posto isolato: spostati di uno.');
  // The seat beside it mends it.
  await takeSeats(page, { row: 'C', seats: ['1'] });
  await see(notice).toBeEmpty();
  await putBack('fila C, posto 2');
  await takeSeats(page, { row: 'C', seats: ['5'] });
  await expectRefused('Scegli posti vicini tra loro.');
  await putBack('fila C, posto 5');
  await page
    .getByRole('button', { name: /^Fila D/ })
    .first()
    .click();
  await takeSeats(page, { row: 'D', seats: ['1'] });
  await expectRefused('Scegli posti vicini tra loro.');
  await putBack('fila D, posto 1');
  await putBack('fila C, posto 1');
  await see(page.getByText('Nessun posto scelto')).toBeVisible();
  await pay();
  await expect.poll(() => alerts).toEqual(['Seleziona prima i posti...']);
  await see(notice).toHaveText('Seleziona prima i posti...');
  expect(at.countCalls(/^POST .*\/book$/)).toBe(0);

  // A price of what is chosen goes while the page is open; it looks again when its window is
  // looked at.
  await takeSeats(page, { row: 'D', seats: ['1', '2'] });
  await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
  await page.route(`**/api/event/${demoEvent}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), prices: [] } });
  });
  await page.evaluate(() => {
    dispatchEvent(new Event('visibilitychange'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await see(chosen.getByRole('listitem').first()).toContainText('N/D');
  await see(chosen.getByText('Totale (IVA inclusa)').locator('..')).toContainText('N/D');
  await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · N/D');
});
