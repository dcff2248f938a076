/** How long from a code in front of the camera to the painted verdict, offline, as it is and with the page's thread four times slower: `node tests/bench/scanner-latency.ts [places]`. Figures, no verdict. */
import type { Page } from 'playwright';
import { findEvent } from '#db/event/events.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import { launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import { hide, modulesOf } from '#tests/support/door/camera.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { closeVerdict, openPhone, pairingLink } from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';
import { quantile } from './quantile.ts';
import { isWhole, scaled } from './scale.ts';

const places = Number(process.argv[2] ?? scaled(50_000));
const scans = scaled(40, 2);

/** Runs in the page: shows the code, waits for its verdict and for the frame that paints it. */
function timeVerdict(rows: boolean[][]): Promise<number> {
  return new Promise((resolve) => {
    const page = window as unknown as { cameraShows(rows: boolean[][]): number };
    const observer = new MutationObserver(() => {
      if (!document.querySelector('[data-verdict]')) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const began = page.cameraShows(rows);
  });
}

await using server = await startServer({ worker: true });
const { db } = server.house.ctx;
const admin = await makeAdmin(server);
const hall = await fillHall(db, { places, phones: 1 });
const event = (await findEvent(db, hall.event_id))!;
const browser = await launchWholeBrowser();
const paired = Date.now();
await using phone = await openPhone(
  browser,
  await pairingLink(server, admin, { name: 'Luca', event_ids: [hall.event_id] }),
  { installed: true },
);
const { page, context } = phone;
console.log(
  `${places.toLocaleString('it-IT')} places: from the pairing link to a running camera ${Date.now() - paired} ms`,
);
await context.setOffline(true);
const cdp = await context.newCDPSession(page);
for (const [nth, rate] of (isWhole ? [1, 4] : [1]).entries()) {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
  const times = await scanAll(
    page,
    hall.labels
      .slice(nth * scans, (nth + 1) * scans)
      .map((place) => codeOf(event, { place, revision: 1, earlier_codes: 0 })),
  );
  console.log(
    `${times.length} scans offline, thread ${rate === 1 ? 'as it is' : `${rate}× slower`}: median ${Math.round(quantile(times, 0.5))} ms, p95 ${Math.round(quantile(times, 0.95))} ms, max ${Math.round(quantile(times, 1))} ms (goal p95 ${rate === 1 ? 130 : 260})`,
  );
  const restart = Date.now();
  await page.reload();
  await page.getByRole('button', { name: 'Inizia' }).waitFor();
  console.log(`start offline to "Inizia": ${Date.now() - restart} ms (goal 1,500)`);
  await page.getByRole('button', { name: 'Inizia' }).click();
  await page.locator('[data-camera-state=running]').waitFor();
}
await browser.close();

async function scanAll(scanner: Page, codes: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const code of codes) {
    times.push(await scanner.evaluate(timeVerdict, modulesOf(code)));
    await hide(scanner);
    await closeVerdict(scanner);
  }
  return times;
}
