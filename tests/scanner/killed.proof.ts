/** The browser dies in mid-stream, again and again: whatever verdict was painted is in the queue, and reaches the server once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBadLine } from '#tests/support/bad-line.ts';
import { launchShellProfile } from '#tests/support/browsers/browser.ts';
import { addCamera } from '#tests/support/door/camera.ts';
import { killProcessesOf } from '#tests/support/browsers/kill-browser.ts';
import { demoEvent } from '#tests/support/make.ts';
import {
  codeOfPlace,
  openDoor,
  phoneScreen,
  readScans,
  startScanning,
  waitForList,
  waitForQueue,
  waitUntilInstalled,
  wake,
} from '#tests/support/door/phone.ts';

const deaths = 3;

/** Runs in the page: a reader that types the next code as soon as the verdict of the last one is painted, and says which admissions a doorman has seen. */
function readOneAfterTheOther(codes: string[]): void {
  const { sawVerdict } = window as unknown as { sawVerdict(admission_id: string): Promise<void> };
  const seenLast = () =>
    document.querySelector('[data-last-admission]')?.getAttribute('data-last-admission') ?? null;
  const frame = () => new Promise(requestAnimationFrame);
  void (async () => {
    for (const code of codes) {
      const before = seenLast();
      for (const key of [...code, 'Enter'])
        (document.activeElement ?? document.body).dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
      while (seenLast() === before) await frame();
      // The frame that shows it has been handed over when the one after it is made.
      await frame();
      await frame();
      void sawVerdict(seenLast()!);
    }
  })();
}

test('of all scans in a stream that is cut by a kill, each whose verdict was on the screen is kept and comes to the server once', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'botteghino-killed-'));
  await using door = await openDoor(4);
  await using line = await startBadLine(() => door.server.url);
  onTestFinished(async () => {
    await killProcessesOf(profile);
    await rm(profile, { recursive: true, force: true });
  });
  const objects = await door.server.house.ctx.seats.objects(demoEvent);
  const free = objects.filter(({ kind, status }) => kind === 'seat' && status === 'free');
  const others = await Promise.all(
    free.slice(0, 400).map(({ label }) => codeOfPlace(door.server, label, 1)),
  );
  const codes = [...door.tickets.map(({ code }) => code), ...others];
  const link = await door.link('Luca', { origin: line.url });

  const seen: string[] = [];
  const open = async () => {
    const context = await launchShellProfile(profile, phoneScreen);
    await addCamera(context);
    const page = context.pages()[0]!;
    await page.exposeFunction('sawVerdict', (admission_id: string) => {
      seen.push(admission_id);
    });
    return { context, page };
  };
  for (let death = 0; death < deaths; death += 1) {
    const { page } = await open();
    await page.goto(death === 0 ? link : `${line.url}/scanner/`);
    await waitForList(page);
    if (death === 0) await waitUntilInstalled(page);
    // The scans stay on the phone, so that nothing but its own memory can bring them back.
    line.faults.portal = 'all';
    await startScanning(page);
    const enough = seen.length + 5 + Math.floor(Math.random() * 20);
    await page.evaluate(readOneAfterTheOther, codes.splice(0, 120));
    await expect.poll(() => seen.length, { timeout: 20_000, interval: 7 }).toBeGreaterThan(enough);
    await killProcessesOf(profile);
  }

  const { context, page } = await open();
  await page.goto(`${line.url}/scanner/`);
  await waitForList(page);
  const queue = await readScans(page);
  expect(seen.length).toBeGreaterThan(deaths * 5);
  expect(seen.filter((id) => !queue.some(({ admission_id }) => admission_id === id))).toEqual([]);
  // Numbers without gap or repetition: the server would miss one otherwise.
  expect(queue.map(({ seq }) => seq)).toEqual(queue.map((_, index) => index));
  expect(queue.every(({ fate }) => fate === 'queued')).toBe(true);
  await waitForQueue(page, queue.length);

  line.faults.portal = false;
  await wake(page);
  await waitForQueue(page, 0);
  const arrived = await door.admissions();
  expect(arrived.map(({ id }) => id)).toEqual(queue.map(({ admission_id }) => admission_id));
  expect(arrived.filter(({ counts }) => counts === 1)).toHaveLength(door.tickets.length);
  await context.close();
}, 180_000);
