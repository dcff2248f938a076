import { startServer } from '#tests/support/server.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { hide, show } from '#tests/support/camera.ts';
import { launchChromium, openPhone, pairingLink, codeOfPlace, closeVerdict } from '#tests/support/phone.ts';
const server = await startServer({ worker: true });
const admin = await makeAdmin(server);
const browser = await launchChromium();
const places = await server.house.ctx.db('places').where({ event_id: 'la-locandiera' }).limit(100).pluck('place');
const codes = []; for (const p of places) codes.push(await codeOfPlace(server, p, 1));
for (let round = 0; round < 14; round += 1) {
  await using phone = await openPhone(browser, await pairingLink(server, admin, { name: `L${round}` }));
  const { page } = phone;
  page.on('console', (m) => { if (m.type() !== 'error') return; console.log(m.text()); });
  page.on('pageerror', (e) => console.log('pageerror', e));
  for (let i = 0; i < 8; i += 1) {
    const before = await page.locator('.scan-last').getAttribute('data-last-admission');
    const t = Date.now();
    await show(page, codes[i]!);
    try { await page.waitForFunction((id) => (document.querySelector('.scan-last')?.getAttribute('data-last-admission') ?? null) !== id, before, { timeout: 6000 }); process.stdout.write(`${Date.now() - t} `); }
    catch {
      console.log('\nSTUCK round', round, 'scan', i);
      console.log(await page.evaluate(async () => {
        const v = document.querySelector('video')!;
        const t0 = v.currentTime; await new Promise((r) => { setTimeout(r, 500); });
        const bitmap = await Promise.race([createImageBitmap(v).then((b) => `${b.width}x${b.height}`), new Promise((r) => { setTimeout(() => r('hung'), 1500); })]).catch(String);
        const track = (v.srcObject as MediaStream).getVideoTracks()[0]!;
        const g = Object.assign(document.createElement('canvas'), { width: 64, height: 36 }); g.getContext('2d')!.drawImage(v, 0, 0, 64, 36);
        const px = [...g.getContext('2d')!.getImageData(32, 18, 1, 1).data];
        return JSON.stringify({ t0, t1: v.currentTime, paused: v.paused, ready: v.readyState, bitmap, track: track.readyState, muted: track.muted, px, vis: document.visibilityState, dialogs: document.querySelectorAll('dialog').length, cam: document.querySelector('[data-camera]')!.getAttribute('data-camera-state') });
      }));
      await page.screenshot({ path: '/tmp/shots/stuck.png' });
      break;
    }
    await hide(page); await closeVerdict(page);
  }
  process.stdout.write(`| `);
}
await browser.close(); await server.close();
