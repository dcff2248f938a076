/** An older server sends its list in columns, which a worker builds: the phone has it also where that worker does not start. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright';
import { addCamera } from '#tests/support/door/camera.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makeAdmin } from '#tests/support/make.ts';
import {
  enterCode,
  pairingLink,
  phoneScreen,
  sellTickets,
  startScanning,
  waitForList,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

for (const starts of [true, false]) {
  test(
    `columns of an older server become a list, ${starts ? 'by the worker' : 'although the worker does not start'}`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer({ worker: true });
      const admin = await makeAdmin(server);
      const [ticket] = await sellTickets(server, { count: 1 });
      await using context = await browser.newContext({ ...phoneScreen, serviceWorkers: 'block' });
      await addCamera(context);
      const page = await context.newPage();
      const asked: string[] = [];
      await page.route(/\/changes\?.*form=block/, (route) => {
        asked.push('block');
        return route.continue({ url: route.request().url().replace('&form=block', '') });
      });
      await page.route(/list-worker/, (route) => {
        asked.push('worker');
        return starts ? route.continue() : route.abort();
      });
      await page.goto(await pairingLink(server, admin, { name: 'Luca' }));
      await waitForList(page);
      expect(new Set(asked)).toEqual(new Set(['block', 'worker']));
      await startScanning(page);
      expect(await enterCode(page, ticket!.code)).toBe('admit');
    },
  );
}
