/** The browser dies in mid-stream, again and again: whatever verdict was painted is in the queue, and reaches the server once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startBadLine } from '#tests/support/bad-line.ts';
import { launchProfile } from '#tests/support/browsers/browser.ts';
import { addCamera } from '#tests/support/door/camera.ts';
import { killProcessesOf } from '#tests/support/browsers/kill-browser.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import {
  codeOfPlace,
  pairingLink,
  phoneScreen,
  readTable,
  sellTickets,
  startScanning,
  waitForList,
  waitForQueue,
  waitUntilInstalled,
  wake,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';

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

test(
  'of all scans in a stream that is cut by a kill, each whose verdict was on the screen is kept and comes to the server once',
  { timeout: 180_000 },
  async () => {
    const profile = await mkdtemp(join(tmpdir(), 'botteghino-killed-'));
    await using server = await startServer({ worker: true });
    await using line = await startBadLine(() => server.url);
    onTestFinished(async () => {
      await killProcessesOf(profile);
      await rm(profile, { recursive: true, force: true });
    });
    const admin = await makeAdmin(server);
    const sold = (await sellTickets(server, { count: 4 })).map(({ code }) => code);
    const seats = (await server.house.ctx.seats.objects(demoEvent))
      .filter(({ kind, status }) => kind === 'seat' && status === 'free')
      .map(({ label }) => label);
    const others = await Promise.all(
      seats.slice(0, 400).map((place) => codeOfPlace(server, place, 1)),
    );
    const codes = [...sold, ...others];
    const link = await pairingLink(server, admin, { name: 'Luca', origin: line.url });

    const seen: string[] = [];
    const open = async () => {
      const context = await launchProfile(profile, phoneScreen);
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
      await expect
        .poll(() => seen.length, { timeout: 20_000, interval: 7 })
        .toBeGreaterThan(enough);
      await killProcessesOf(profile);
    }

    const { context, page } = await open();
    await page.goto(`${line.url}/scanner/`);
    await waitForList(page);
    const queue = (await readTable(page, 'queue')).toSorted(
      (a, b) => Number(a['seq']) - Number(b['seq']),
    );
    expect(seen.length).toBeGreaterThan(deaths * 5);
    expect(seen.filter((id) => !queue.some(({ admission_id }) => admission_id === id))).toEqual([]);
    // Numbers without gap or repetition: the server would miss one otherwise.
    expect(queue.map(({ seq }) => seq)).toEqual(queue.map((_, index) => index));
    expect(queue.every(({ fate }) => fate === 'queued')).toBe(true);
    await waitForQueue(page, queue.length);

    line.faults.portal = false;
    await wake(page);
    await waitForQueue(page, 0);
    const arrived = await server.house.ctx.db('admissions').orderBy('seq');
    expect(arrived.map(({ id }) => id)).toEqual(queue.map(({ admission_id }) => admission_id));
    expect(arrived.filter(({ counts }) => counts === 1)).toHaveLength(sold.length);
    await context.close();
  },
);
