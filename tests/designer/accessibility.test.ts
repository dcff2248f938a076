/** The designer for whoever does not see it, or has no mouse: two engines find nothing, and keys do everything. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openWorkshop } from './studio.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(
  'axe and IBM find nothing in both themes, with tree, panels, menu and dialogs, on a screen, a tablet and a telephone',
  { timeout: 90_000 },
  async () => {
    await using workshop = await openWorkshop(browser);
    const { page, open } = await workshop.enter();
    await open({ chartKey: 'small' });
    await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
    await page.getByRole('treeitem', { name: 'Fila A', exact: true }).click();
    expect(await auditPage(page)).toEqual([]);
    await page.getByRole('button', { name: 'Disponi' }).click();
    expect(await auditPage(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'Tasti' }).waitFor();
    expect(await auditPage(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await open({ chartKey: 'small', colorScheme: 'dark' });
    expect(await auditPage(page)).toEqual([]);
    await page.setViewportSize({ width: 768, height: 1024 });
    expect(await auditPage(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Per disegnare serve uno schermo più grande').waitFor();
    expect(await auditPage(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  },
);

test('without a mouse: found by its label, moved, copied, undone, and each act is told', async () => {
  await using workshop = await openWorkshop(browser);
  const { page, open } = await workshop.enter();
  await open({ chartKey: 'small' });
  const told = (text: string) => page.locator('.bsd > [role=status]', { hasText: text }).waitFor();
  await page.locator('[role=application]').focus();
  await page.keyboard.press('Control+f');
  await page.getByLabel(/^Etichetta/).fill('B-3');
  await page.keyboard.press('Enter');
  await told('Fila B, posto 3');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await told('Fila B');
  await page.keyboard.press('Shift+ArrowRight');
  await told('Spostamento');
  await page.keyboard.press('Control+c');
  await told('Copiato');
  await page.keyboard.press('Control+v');
  await told('Incolla');
  await page.keyboard.press('Control+z');
  await told('Annullato: Incolla');
  await page.keyboard.press('r');
  expect(
    await page.getByRole('button', { name: 'Fila', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true');
});
