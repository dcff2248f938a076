/** The designer in the other two engines, Firefox and WebKit: a hall opens, is worked on by pointer and keys, saves itself and is published. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStandin, uploadDrawing, type Standin } from '#tests/standins/seatsio/start.ts';
import { launchFirefox } from '#tests/support/browsers/firefox.ts';
import type { Tab } from '#tests/support/browsers/webdriver.ts';
import { launchWebKit } from '#tests/support/browsers/webkit.ts';
import { drawRow, rowsOf } from './one-row.ts';

/** A chart server with the built designer, and the page of somebody else's site that opens it with a line of script. */
async function startSite() {
  const standin = await startStandin({ clock: { now: Date.now() } });
  cpSync(path.join(import.meta.dirname, '../../dist/chart'), standin.chartFolder, {
    recursive: true,
  });
  expect(await uploadDrawing(standin, { key: 'sala', drawing: drawRow() })).toBe(201);
  const config = { chartKey: 'sala', secretKey: standin.secretKey };
  const html = `<!doctype html><html lang="it"><meta charset="utf-8"><title>Piante</title><style>body{margin:0}#page{height:100vh}</style><main><div id="page"></div></main><script src="${standin.url}/chart.js"></script><script>new seatsio.SeatingChartDesigner({ container: document.querySelector('#page'), ...${JSON.stringify(config)} }).render()</script>`;
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(html);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  return {
    standin,
    url: `http://localhost:${(site.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      site.closeAllConnections();
      site.close();
      await standin.close();
    },
  };
}

const keys = { shift: '\uE008', right: '\uE014' };
const canvas = '//*[@role="application"]';

const firstSeat = async ({ client }: Standin, version: 'Draft' | 'Published') =>
  rowsOf(await client.charts[`retrieve${version}Version`]('sala'))[0]!.seats[0]!.x;

async function drawAndPublish(tab: Tab, standin: Standin, url: string): Promise<void> {
  const before = await firstSeat(standin, 'Published');
  await tab.goto(url);
  // Until the drawing has been fitted to the window, nothing lies where it will be.
  await tab.until(() => {
    const zoom = document.querySelector('output[aria-label="Ingrandimento"]')?.textContent;
    return zoom !== undefined && zoom !== null && zoom !== '100 %';
  });
  // The row lies in the middle, which is where the click goes.
  await tab.click(canvas);
  await tab.sendKeys(canvas, keys.shift + keys.right);
  await tab.until(() => /Bozza salvata alle/.test(document.body.innerText));
  const moved = await firstSeat(standin, 'Draft');
  expect(moved).toBeGreaterThan(before);
  expect(await firstSeat(standin, 'Published')).toBe(before);
  await tab.press('Pubblica');
  await tab.click('//dialog//button[normalize-space()="Pubblica"]');
  await tab.until(() => /^Pubblicata$/m.test(document.body.innerText));
  expect(await firstSeat(standin, 'Published')).toBe(moved);
}

test('Firefox: a row is clicked, pushed by keys, saved by itself and published', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'botteghino-firefox-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true }));
  await using site = await startSite();
  await using firefox = await launchFirefox(profile, { width: 1280, height: 900 });
  await drawAndPublish(firefox.tab, site.standin, site.url);
});

test('WebKit: a row is clicked, pushed by keys, saved by itself and published', async () => {
  await using site = await startSite();
  await using webkit = await launchWebKit();
  await drawAndPublish(webkit.tab, site.standin, site.url);
});
