/** A visitor in a real browser, who chooses seats as a person does and pays for them. */
import type { Browser, Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { eventPage, visit, within, type Visit, type VisitOptions } from './visit.ts';

/** A row of the stalls in the list beside the map. */
export async function openRow(page: Page, row: string): Promise<void> {
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click(within);
  await page
    .getByRole('button', { name: /^Platea/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: new RegExp(`^Fila ${row}`) })
    .first()
    .click();
}

/** Full-price seats of a row whose list is open. */
export async function takeSeats(
  page: Page,
  { row, seats }: { row: string; seats: readonly string[] },
): Promise<void> {
  for (const seat of seats) {
    await page
      .getByRole('button', { name: new RegExp(`Fila ${row}, posto ${seat},.*libero`) })
      .click(within);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Intero/ })
      .click();
  }
}

/**
 * Full-price seats of a row in the stalls, from the list beside the map: the same code path as a
 * tap on the canvas.
 */
export async function chooseSeats(
  page: Page,
  chosen: { row: string; seats: readonly string[] },
): Promise<void> {
  await openRow(page, chosen.row);
  await takeSeats(page, chosen);
}

/** Two seats of row C. */
export async function chooseTwoSeats(page: Page): Promise<void> {
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible();
}

/** Opens the event page and chooses two seats of row C. */
export async function visitWithSeats(
  browser: Browser,
  url: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const visitor = await visit(browser, url, options);
  await visitor.page.goto(eventPage);
  await chooseTwoSeats(visitor.page);
  return visitor;
}

/** Continues from chosen seats to the checkout. */
export async function pressPay(page: Page): Promise<void> {
  await page.locator('.event-seats-selection-summary_button').click();
  await page.waitForURL(/\/c\/pay\//, within);
}
