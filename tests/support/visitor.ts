/** A visitor in a real browser: chooses seats as a person does. */
import type { Page } from 'playwright';
import { expect as see } from 'playwright/test';

const within = { timeout: 20_000 };

/** Full-price seats of a row in the stalls, from the list beside the map: the same code path as a tap on the canvas. */
export async function chooseSeats(page: Page, { row, seats }: { row: string; seats: readonly string[] }): Promise<void> {
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click(within);
  await page.getByRole('button', { name: /^Platea/ }).first().click();
  await page.getByRole('button', { name: new RegExp(`^Fila ${row}`) }).first().click();
  for (const seat of seats) {
    await page.getByRole('button', { name: new RegExp(`Fila ${row}, posto ${seat},.*libero`) }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Intero/ }).click();
  }
}

/** Two seats of row C. */
export async function chooseTwoSeats(page: Page): Promise<void> {
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible(within);
}
