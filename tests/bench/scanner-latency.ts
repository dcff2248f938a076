/** How long from a code in front of the camera to the painted verdict: `node tests/bench/scanner-latency.ts [places]`. Figures, no verdict. */
import { createHash, randomBytes } from 'node:crypto';
import { placesOf } from '#apps/scanner/list-build.ts';
import type { DoorPage } from '#server/contract/door-list.ts';
import { packPlaces, type ListedPlace } from '#server/domain/door-list.ts';
import { startBadLine } from '#tests/support/bad-line.ts';
import { hide, modulesOf } from '#tests/support/camera.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { closeVerdict, openPhone, pairingLink, sellTickets } from '#tests/support/phone.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { quantile } from './quantile.ts';

const extraPlaces = Number(process.argv[2] ?? 0);
const scans = 20;

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

let server: TestServer | undefined;
await using line = await startBadLine(() => server!.url);
server = await startServer({ worker: true });
const admin = await makeAdmin(server);
const tickets = [];
while (tickets.length < scans) tickets.push(...await sellTickets(server, { count: 5 }));
line.faults.rewrite = (changes) => {
  if (changes['kind'] !== 'snapshot') return;
  const page = changes as DoorPage;
  const hash = () => createHash('sha256').update(randomBytes(16)).digest().subarray(0, 12).toString('base64url');
  const extra = Array.from({ length: extraPlaces }, (_, n): ListedPlace => ({
    place: `Arena-${n}`, seat: `Arena, fila ${Math.floor(n / 50)}, posto ${n % 50}`, section: 'Arena', category: 'Arena', issued: 1, hashes: [hash(), hash(), hash()],
    ticket: { revision: 1, state: 'valid', type_label: 'Intero', order_group: 'abcdefgh', initials: 'M. R.', sealed_name: null, gates: [], name: null, order_number: null },
  }));
  page.places = packPlaces([...placesOf(page), ...extra], { names: false, sealed: true });
};
const browser = await launchBrowser();
const paired = Date.now();
await using phone = await openPhone(browser, await pairingLink(server, admin, { name: 'Luca', origin: line.url }), { installed: true });
console.log(`paired, list of ${extraPlaces} + hall loaded, camera running: ${Date.now() - paired} ms`);
const { page, context } = phone;
await context.setOffline(true);
const times: number[] = [];
for (const { code } of tickets) {
  times.push(await page.evaluate(timeVerdict, modulesOf(code)));
  await hide(page);
  await closeVerdict(page);
}
console.log(`${times.length} scans offline: median ${Math.round(quantile(times, 0.5))} ms, p95 ${Math.round(quantile(times, 0.95))} ms, max ${Math.round(quantile(times, 1))} ms`);
const restart = Date.now();
await page.reload();
await page.getByRole('button', { name: 'Inizia' }).waitFor();
console.log(`cold start offline to "Inizia": ${Date.now() - restart} ms`);
await browser.close();
await server.close();
