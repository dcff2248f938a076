/** A phone that still has the app of a released version: today's server gives it its list, and its scans arrive. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import {
  enterCode,
  openDoor,
  openWindow,
  startScanning,
  waitForList,
  waitForQueue,
} from '#tests/support/door/phone.ts';

const versions = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name));

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** Answers for the app's own files; everything else is asked of the server. */
async function installApp(page: Page, folder: string): Promise<void> {
  await page.route(/^https?:\/\/[^/]+\/scanner\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    const asked = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const path = existsSync(asked) ? asked : join(folder, 'scanner/index.html');
    await route.fulfill({ path });
  });
}

for (const version of versions)
  test(`the phone app of ${version} lets people in at today's server, also without a line`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'telefono-'));
    const file = join(import.meta.dirname, version, 'scanner.tar.gz');
    execFileSync('tar', ['-xzf', file, '-C', folder]);
    await using door = await openDoor(2);
    await using phone = await openWindow(browser);
    const { page } = phone;
    await installApp(page, folder);
    await page.goto(await door.link());
    await waitForList(page);
    await startScanning(page);
    const [first, second] = door.tickets;
    expect(await enterCode(page, first!.code)).toBe('admit');
    await phone.context.setOffline(true);
    expect(await enterCode(page, second!.code)).toBe('admit');
    expect(await enterCode(page, first!.code)).toBe('just_read');
    await phone.context.setOffline(false);
    await waitForQueue(page, 0);
    const scans = await door.admissions();
    expect(scans.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'admit',
      'admit',
      'just_read',
    ]);
    rmSync(folder, { recursive: true, force: true });
  });
