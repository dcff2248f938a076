/** The till of the office in tests: when it is ready for keys, and seats typed into its line. */
import type { Page } from 'playwright';
import { expect as see } from 'playwright/test';

const within = { timeout: 60_000 };

/** The map stands and the line waits for seats. */
export async function tillIsReady(page: Page): Promise<void> {
  await see(page.locator('[class*="till_map"] canvas').first()).toBeVisible(within);
  await see(page.getByLabel('Posti', { exact: true })).toBeFocused(within);
}

/**
 * All at once: when the map is ready, and after each sale, the line is selected anew, and a letter
 * typed just before would be replaced by the next.
 */
export async function typeSeats(page: Page, seats: string): Promise<void> {
  const line = page.getByLabel('Posti', { exact: true });
  await line.fill(seats);
  await line.press('Enter');
}
