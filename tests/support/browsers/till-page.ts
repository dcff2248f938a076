/**
 * The till of the office in tests: waits until it accepts keys, and types seats into its line.
 */
import type { Page } from 'playwright';
import { expect as see } from 'playwright/test';

const within = { timeout: 60_000 };

/** Waits until the map is ready and the line accepts seats. */
export async function tillIsReady(page: Page): Promise<void> {
  await see(page.locator('[class*="till_map"] canvas').first()).toBeVisible(within);
  await see(page.getByLabel('Posti', { exact: true })).toBeFocused(within);
}

/**
 * Fills the line in one step, because the till selects it again when the map is ready and after
 * each sale, and the next letter would replace typed ones.
 */
export async function typeSeats(page: Page, seats: string): Promise<void> {
  const line = page.getByLabel('Posti', { exact: true });
  await line.fill(seats);
  await line.press('Enter');
}
