/** Sends scans without a page, in the service worker when the signal is back. */
import { call, CallError } from '#apps/shared/api.ts';
import { heartbeat } from '#server/contract/door/phones.ts';
import { batchSize, handIn } from './hand-in.ts';
import { makeLine } from '#apps/scanner/kit/line.ts';
import { toldQueue } from './told-queue.ts';
import { readMeta, ScannerDb, wipeTickets } from '#apps/scanner/kit/store.ts';

/** Throws when the sending must be tried again, because the connection or the server failed. */
export async function handInAlone(): Promise<void> {
  const db = new ScannerDb({ db_name: 'botteghino-scanner' });
  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  };
  try {
    const device = await readMeta(db, 'device');
    if (!device || device.forgotten || device.device_token === '') return;
    const ports = { db_name: db.name, call, now: () => Date.now(), locks: navigator.locks };
    const line = makeLine(after);
    try {
      // The server accepts scans even from a revoked phone; only this call shows that it was
      // revoked.
      const body = {
        ...(await toldQueue(db)),
        clock_offset_ms: (await readMeta(db, 'clock'))?.offset_ms ?? null,
      };
      await line.hold(15_000, (signal) =>
        call(heartbeat, { body }, { token: device.device_token, signal }),
      );
    } catch (error) {
      if (!(error instanceof CallError && error.status === 401)) throw error;
      if (error.code !== 'phone_revoked') return;
      // The tickets are deleted first; the app's messages wait until it is opened.
      await wipeTickets(db, device, Date.now());
    }
    await handIn({ db, ports, line, pace: { batch: batchSize } }, device);
  } finally {
    db.close();
  }
}
