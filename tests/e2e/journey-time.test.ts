/** The time that chosen seats are held: it is told, more can be had twice, and when it is over the page says so and begins again. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { screens, within } from '#tests/support/visit.ts';
import { pressPay, visitWithSeats } from '#tests/support/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** On both sides. */
async function passTime(server: TestServer, page: Page, ms: number): Promise<void> {
  server.clock.advance(ms);
  await page.clock.fastForward(ms);
}

async function secondsLeft(page: Page): Promise<number> {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await page.getByRole('timer').textContent())!)!;
  return Number(minutes) * 60 + Number(seconds);
}

for (const viewport of screens) {
  test(
    `the hold can be prolonged twice in its last five minutes; under two minutes it is told aloud (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visitWithSeats(browser, server.url, { viewport, clock: true });
      const { page } = visitor;
      const more = page.getByRole('button', { name: 'Ho bisogno di più tempo' });
      const full = await secondsLeft(page);
      expect(full).toBeGreaterThan(600);
      await see(more).toHaveCount(0);
      for (const time of [1, 2]) {
        await passTime(server, page, ((await secondsLeft(page)) - 100) * 1000);
        await see(
          page.getByText('Il tempo sta per scadere: mancano meno di due minuti.'),
        ).toHaveCount(1, within);
        await more.click(within);
        await expect.poll(() => secondsLeft(page), within).toBeGreaterThan(500);
        await see(page.getByText('Il tempo sta per scadere')).toHaveCount(0);
        expect(visitor.countCalls(/hold/)).toBeGreaterThanOrEqual(time);
      }
      await passTime(server, page, ((await secondsLeft(page)) - 100) * 1000);
      await see(page.getByText('Il tempo sta per scadere')).toHaveCount(1, within);
      await see(more).toHaveCount(0);
      expect([visitor.troubles, visitor.alerts]).toEqual([[], []]);
    },
  );

  test(
    `when the hold is over the seats are gone from the list, the page says so, and the visitor begins again (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visitWithSeats(browser, server.url, { viewport, clock: true });
      const { page, alerts } = visitor;
      await passTime(server, page, ((await secondsLeft(page)) + 2) * 1000);
      await see(page.getByRole('region', { name: 'I tuoi posti' })).toContainText(
        'Tempo scaduto: i posti sono tornati disponibili.',
        within,
      );
      await see(page.getByRole('status', { name: 'Posti scelti' })).toHaveText(
        'Nessun posto scelto',
      );
      const again = page.getByRole('button', { name: 'Ricomincia' });
      await again.click(within);
      for (const seat of ['1', '2']) {
        // The list is as he left it: the seats come back into the open row.
        await page
          .getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*libero`) })
          .click(within);
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /Intero/ })
          .click();
      }
      await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText(
        '2 posti · 64,00',
        within,
      );
      await see(page.getByText('Tempo scaduto')).toHaveCount(0);
      await pressPay(page);
      expect(alerts).toEqual([]);
    },
  );
}
