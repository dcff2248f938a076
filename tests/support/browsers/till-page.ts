/**
 * The till of the office in tests: waits until it accepts keys, and types seats into its line.
 */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';

/** Waits until the map is ready and the line accepts seats. */
export async function tillIsReady(page: Page): Promise<void> {
  await see(page.locator('[class*="till_map"] canvas').first()).toBeVisible();
  await see(page.getByLabel('Posti', { exact: true })).toBeFocused();
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

/** Gives a reason for each rule that the sale breaks, until it is sold. */
export async function sellWithReasons(page: Page, reasons: readonly string[]): Promise<void> {
  for (const reason of reasons) {
    const again = page.getByRole('button', { name: 'Vendi lo stesso' });
    const sold = page.getByText(/^Venduto: /);
    await see(again.or(sold)).toBeVisible();
    if (await sold.isVisible()) return;
    await again.press('Enter');
    await see(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
    await page.keyboard.type(reason);
    await page.keyboard.press('Enter');
  }
}
