/** What door-phone.ts measures inside the browser: the scanner's own core, beside what the browser can do at best. */
import { phone, startSync } from '#apps/scanner/scan/phone.ts';

const event_id = 'serata';

declare global {
  interface Window {
    bench: typeof bench;
  }
}

/** The longest time that the camera's thread was kept busy, ms, since the page began or since it was last asked. */
let longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
}).observe({ entryTypes: ['longtask'] });

async function isReady(code: string): Promise<boolean> {
  return (await phone.recognise(event_id, code)).reading.kind === 'place';
}

const bench = {
  /** From the answer's last byte to a list that recognises a code, durable on the disk. */
  async importList(code: string) {
    longest = 0;
    const isIn = new Promise<number>((resolve) => {
      const stop = phone.subscribe(
        () =>
          void isReady(code).then((known) => {
            if (!known) return;
            stop();
            resolve(performance.now());
          }),
      );
    });
    startSync();
    await phone.pair('pairing-token-of-the-bench');
    const at = await isIn;
    const answer = performance
      .getEntriesByType('resource')
      .find(({ name }) => name.includes('/list')) as PerformanceResourceTiming;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { ms: at - answer.responseEnd, blocked: longest, bytes: answer.decodedBodySize };
  },
  /** The floor: the same bytes, one record, one strict transaction. */
  async rawRecord(size: number) {
    const raw = await openRaw();
    const bytes = new Uint8Array(size).map((_, i) => i * 31).buffer;
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const began = performance.now();
      await putRaw(raw, { id: `list${n}`, bytes });
      times.push(performance.now() - began);
    }
    raw.close();
    return times;
  },
  /** Since the page was asked for. */
  async startAgain(code: string) {
    await phone.ready();
    const known = await isReady(code);
    return { ms: performance.now(), known, blocked: longest };
  },
  async scans(codes: string[]) {
    const times: number[] = [];
    const decided: number[] = [];
    const verdicts = new Set<string>();
    for (const code of codes) {
      const began = performance.now();
      const recognised = await phone.recognise(event_id, code);
      const { verdict } = await phone.admit({
        event_id,
        recognised,
        direction: 'in',
        override: null,
        means: 'code',
        note: null,
      });
      times.push(performance.now() - began);
      verdicts.add(verdict);
      const again = performance.now();
      await phone.lookUp(event_id, recognised);
      decided.push(performance.now() - again);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { times, decided, verdicts: [...verdicts], stored: await phone.db.queue.count() };
  },
  /** The floor of a scan: one small record, one strict transaction. */
  async rawPuts(count: number) {
    const raw = await openRaw();
    const times: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const began = performance.now();
      await putRaw(raw, { id: `scan${n}`, place: 'Platea-A-1', verdict: 'admit', at: began });
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    raw.close();
    return times;
  },
  searches(texts: string[]) {
    return texts.flatMap((text) => {
      const began = performance.now();
      const found = phone.search(event_id, text).length;
      return [{ text, ms: performance.now() - began, found }];
    });
  },
  presence() {
    const began = performance.now();
    const { inside, places } = phone.presence(event_id);
    return { ms: performance.now() - began, inside, places };
  },
  recognisePlace: (place: string) => phone.recognisePlace(event_id, place).reading.kind,
};
window.bench = bench;

function openRaw(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('raw');
    opening.addEventListener('upgradeneeded', () =>
      opening.result.createObjectStore('rows', { keyPath: 'id' }),
    );
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error));
  });
}

function putRaw(raw: IDBDatabase, row: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const writing = raw.transaction('rows', 'readwrite', { durability: 'strict' });
    writing.objectStore('rows').put(row);
    writing.addEventListener('complete', () => resolve());
    writing.addEventListener('abort', () => reject(writing.error));
  });
}
