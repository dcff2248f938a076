/** RULES O11, the booking flow: one call, a chart that is destroyed, an order that is kept, 10 ms, 10 s, 200 ms. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, ordersOfTab, pauseClock, screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats, takeSeats } from '#tests/support/visitor.ts';

const booked = /^POST .*\/book$/;

test('§4: selecting and deselecting updates the list of selected seats on the chart’s side and on the page’s; the booking call is guarded against double submission, on one button and across both', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  const lines = page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem');
  await see(lines).toHaveText([
    /Platea, fila C, posto 1.*Intero.*32,00\s€/,
    /Platea, fila C, posto 2.*Intero.*32,00\s€/,
  ]);
  await page.getByRole('button', { name: /Fila C, posto 2,.*scelto/ }).click();
  await see(lines).toHaveText([/posto 1/]);
  await see(page.locator('.event-book-button_badge')).toHaveText('1');
  await takeSeats(page, { row: 'C', seats: ['2'] });
  await see(lines).toHaveCount(2);
  // Taken away with the keyboard, it stays among the seats, and then at their title.
  await page.getByRole('button', { name: /^Togli .*posto 1/ }).focus();
  await page.keyboard.press('Enter');
  await see(page.getByRole('button', { name: /^Togli .*posto 2/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await see(lines).toHaveCount(0);
  await see(page.getByRole('heading', { name: 'I tuoi posti', exact: true })).toBeFocused();
  await see(page.locator('.event-book-button_button')).toBeHidden();
  await takeSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(lines).toHaveCount(2);

  // Four clicks within one task: faster than any person and any redraw.
  await page.evaluate(() => {
    const [round, pay] = ['.event-book-button_button', '.event-seats-selection-summary_button'].map(
      (button) => document.querySelector<HTMLElement>(button)!,
    );
    for (const button of [pay!, pay!, round!, round!]) button.click();
  });
  await page.waitForURL(/\/c\/pay\//, within);
  expect([at.countCalls(booked), at.alerts]).toEqual([1, []]);
});

test('§4, §8, §9: on failure an alert says so and the busy state is released 200 ms later; on success the chart is destroyed, the order id kept, and 10 ms later the browser goes to checkout_url; the button stays busy for 10 s, then the page is alive again', async () => {
  await using at = await startVisit({ clock: true });
  const { page, alerts, countCalls } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  const message = 'Errore imprevisto. Riprova tra poco.';
  await page.route(
    /\/book$/,
    (route) => route.fulfill({ status: 500, json: { status: 500, code: 'unexpected', message } }),
    { times: 1 },
  );
  const pay = page.locator('.event-seats-selection-summary_button');
  const opacity = () => pay.evaluate((button) => Number(getComputedStyle(button).opacity));
  const rested = async () => {
    await see(pay).toHaveAttribute('aria-busy', 'false');
    await see(pay).toHaveAttribute('aria-disabled', 'false');
    expect(await opacity()).toBe(1);
  };
  const busy = async () => {
    await see(pay).toHaveAttribute('aria-disabled', 'true');
    expect(await opacity()).toBeLessThan(1);
    await pay.click({ force: true });
  };
  // Redirects and rests are timers of the page: with its clock stopped everything before them can
  // be looked at.
  await pauseClock(page);
  await pay.click();
  await expect
    .poll(() => alerts)
    .toEqual([`Oops... si è verificato un problema. Riprova...\n\n${message}`]);
  await page.clock.runFor(190);
  await busy();
  await page.clock.runFor(20);
  await rested();
  // The other button was never the one that was clicked; what the alert said can still be read.
  await see(page.getByRole('button', { name: /^Procedi al pagamento, 2 posti/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await see(page.getByRole('status', { name: 'Avviso' }).first()).toContainText(message);
  expect(countCalls(booked)).toBe(1);

  // The browser stays where it is, as with a checkout that does not come.
  await page.route(/\/c\/pay\//, (route) => route.fulfill({ status: 204 }));
  await page.evaluate(
    "navigation.addEventListener('navigate', ({ destination }) => { window.wentTo = destination.url; })",
  );
  const wentTo = () => page.evaluate('window.wentTo');
  const answer = page.waitForResponse(/\/book$/);
  await pay.click();
  const { order_id, checkout_url } = (await (await answer).json()) as Record<string, string>;
  await see(page.getByText('Ti portiamo al pagamento…')).toBeVisible();
  const chart = page.getByLabel(/^Pianta dei posti\. Frecce/);
  await see(chart).toHaveCount(0);
  expect(await ordersOfTab(page)).toEqual([{ id: order_id }]);
  await see(page.getByRole('alertdialog')).toHaveCount(0);
  await page.clock.runFor(9);
  expect(await wentTo()).toBe(undefined);
  await page.clock.runFor(1);
  await expect.poll(wentTo).toBe(checkout_url);
  for (const passed of [5_000, 4_900]) {
    await page.clock.runFor(passed);
    await see(pay).toHaveAttribute('aria-busy', 'true');
    await busy();
  }
  await page.clock.runFor(500);
  await rested();
  await page.clock.resume();
  await see(page.getByRole('alertdialog', { name: 'Hai un ordine in sospeso' })).toBeVisible();
  await see(chart).toBeVisible();
  expect([countCalls(booked), alerts.length]).toEqual([2, 1]);
});
