/** A visitor in a real browser: chooses seats as a person does. */
import type { Page } from 'playwright';
import { expect as see } from 'playwright/test';

const within = { timeout: 20_000 };

/** Two full-price seats of row C, from the list beside the map: the same code path as a tap on the canvas. */
export async function chooseTwoSeats(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click(within);
  await page.getByRole('button', { name: /^Platea/ }).first().click();
  await page.getByRole('button', { name: /^Fila C/ }).first().click();
  for (const seat of ['1', '2']) {
    await page.getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*libero`) }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Intero/ }).click();
  }
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible(within);
}
