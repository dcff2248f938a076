/** Pictures of a page for a person to look at, only where `SHOTS` names a folder. */
import type { Page } from 'playwright';

/** Takes the page at both widths and leaves it at a phone's width. */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env['SHOTS'] === undefined) return;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${width}.png` });
  }
}
