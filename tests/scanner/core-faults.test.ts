/** What goes wrong around a phone without being its fault: one event of several is closed to it, it is paired anew while an old answer is on its way, the office mistypes a date, the clock of a scan was ahead. */
import { expect, test } from 'vitest';
import { readList } from '#apps/scanner/list/page.ts';
import { readSealKey } from '#apps/scanner/list/seal-key.ts';
import { sealPart } from '#apps/scanner/list/seal.ts';
import { CallError } from '#apps/shared/api.ts';
import { until } from '#tests/support/make.ts';
import {
  blockAnswerOf,
  codeOfRow,
  doorPageOf,
  listedPlace,
  listedScan,
  pageTime,
} from '#tests/support/door/door-page.ts';
import { lost, openPaired, scanText, scriptLine, verdictOf } from '#tests/support/scripted-line.ts';

const places = Array.from({ length: 40 }, (_, n) => listedPlace(n));
const hourMs = 3_600_000;

test('an event whose doors are closed to phones does not make the line a bad one for the others', async () => {
  const line = scriptLine(doorPageOf({ places }));
  line.event_ids = ['serata', 'bozza'];
  let isOpen = false;
  const answer = line.call;
  line.call = async (endpoint, ask: { params?: { eventId?: string } }, options) => {
    if (!isOpen && ask.params?.eventId === 'bozza')
      throw new CallError(404, 'event_not_found', 'Questo evento non esiste.');
    return answer(endpoint, ask, options);
  };
  const core = line.open({ call: line.call as never });
  await core.pair('pairing-token-of-the-office');
  await core.syncOnce();
  expect([
    core.status.read().online,
    core.status.read().trouble,
    await verdictOf(core, codeOfRow(1)),
  ]).toEqual([true, null, 'admit']);
  // The screen does not wait for a list that will not come.
  expect(core.status.read().closed_events).toEqual(['bozza']);
  line.changes = () => {
    throw lost();
  };
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect(core.status.read().closed_events).toEqual(['bozza']);
  // The office opens its doors.
  isOpen = true;
  line.changes = ({ since }) =>
    since === undefined ? line.list : doorPageOf({ from: since, cursor: since });
  await core.syncOnce();
  expect(core.status.read().closed_events).toEqual([]);
});

test('a list that cannot be written is said as such, not as a missing signal, and holds back no scan', async () => {
  const line = scriptLine(doorPageOf({ places }));
  // No timer ever fires: whatever goes up goes up at once.
  const core = await openPaired(line, { after: () => () => {} });
  let isFull = true;
  core.db.parts.hook('creating', () => {
    if (isFull) throw new DOMException('The quota is full', 'QuotaExceededError');
  });
  const before = line.asked.length;
  line.changes = ({ since }) =>
    doorPageOf({
      from: since!,
      cursor: since === 'epoch.1' ? 'epoch.2' : since!,
      admissions: since === 'epoch.1' ? [listedScan(9)] : [],
    });
  const standing = () => {
    const { online, trouble } = core.status.read();
    return [online, trouble];
  };
  core.start();
  await until(() =>
    Promise.resolve(core.status.read().trouble !== null && !core.status.read().syncing),
  );
  expect(standing()).toEqual([true, 'Memoria del telefono piena: libera spazio']);
  const shown = await scanText(core, codeOfRow(1));
  expect([shown.verdict, shown.offline]).toEqual(['admit', false]);
  core.syncSoon();
  await until(() => Promise.resolve(line.sent.length === 1));
  // Nor is the list fetched anew with every scan.
  expect([line.asked.length - before, standing()]).toEqual([
    1,
    [true, 'Memoria del telefono piena: libera spazio'],
  ]);

  // A line that is dead as well is the first thing to know.
  await scanText(core, codeOfRow(2));
  line.sending = () => {
    throw lost();
  };
  core.syncNow();
  await until(() => Promise.resolve(!core.status.read().online));
  expect(standing()).toEqual([false, null]);
  line.sending = () => {};
  isFull = false;
  core.syncNow();
  await until(() => Promise.resolve(core.status.read().online && line.sent.length === 2));
  expect([standing(), await verdictOf(core, codeOfRow(9))]).toEqual([[true, null], 'already_in']);
});

test('a scan goes up at once while a list hangs, and one event’s trouble does not keep the next from its list', async () => {
  const line = scriptLine(doorPageOf({ places }));
  line.event_ids = ['bozza', 'serata'];
  const answer = line.call;
  line.call = async (endpoint, ask: { params?: { eventId?: string } }, options) => {
    if (ask.params?.eventId === 'bozza') throw new CallError(500, 'internal', 'Errore');
    return answer(endpoint, ask, options);
  };
  const core = line.open({ call: line.call as never });
  await core.pair('pairing-token-of-the-office');
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'internal' });
  const asked = Promise.withResolvers<void>();
  const hanging = Promise.withResolvers<never>();
  line.changes = () => {
    asked.resolve();
    return hanging.promise;
  };
  core.start();
  await asked.promise;
  expect(await verdictOf(core, codeOfRow(1))).toBe('admit');
  core.syncSoon();
  await until(() => Promise.resolve(line.sent.length === 1));
  core.stop();
  hanging.reject(lost());
});

test('a phone that hears of its revocation while it writes its list keeps no ticket', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const firstStep = Promise.withResolvers<void>();
  const answer = line.call;
  line.call = async (endpoint, ask, options) => {
    if (!endpoint.path.endsWith('/heartbeat')) return answer(endpoint, ask, options);
    await firstStep.promise;
    throw new CallError(401, 'phone_revoked', 'Questo telefono è stato revocato.');
  };
  const core = line.open({ call: line.call as never });
  core.db.parts.hook('creating', () => firstStep.resolve());
  await core.pair('pairing-token-of-the-office');
  await core.syncOnce();
  expect([
    await core.db.events.count(),
    await core.db.parts.count(),
    (await core.readMeta('device'))!.device_token,
  ]).toEqual([0, 0, '']);
});

test('what the server says to the pairing before does nothing to the new one', async () => {
  for (const code of ['phone_revoked', 'not_logged_in']) {
    const line = scriptLine(doorPageOf({ places }));
    const core = await openPaired(line);
    await scanText(core, codeOfRow(1));
    // The old call hears its answer only when the phone is another one already.
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    line.changes = () => {
      asked.resolve();
      line.changes = ({ since }) =>
        since === undefined ? line.list : doorPageOf({ from: since, cursor: since });
      return promise.then(() => {
        throw new CallError(401, code, 'Questo telefono non è più autorizzato.');
      });
    };
    const cycle = core.syncOnce().catch(() => {});
    await asked.promise;
    line.phone_id = 'p2';
    line.token = 'another-token';
    await core.pair('pairing-token-of-the-office');
    resolve();
    await cycle;
    expect(await core.readMeta('device'), code).toMatchObject({
      phone_id: 'p2',
      device_token: 'another-token',
      revoked_at: null,
      forgotten: false,
      events: [{ id: 'serata' }],
    });
    await core.syncOnce();
    expect(await verdictOf(core, codeOfRow(2)), code).toBe('admit');
    core.stop();
  }
});

test('a phone says who it was when it is paired anew, so that its scans are taken in', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  await core.pair('another-token-of-the-office');
  expect(line.pairings.map(({ previous_token }) => previous_token)).toEqual([undefined, 'token']);
});

test('an evening that was over by a slip of the office comes back when the date is right again', async () => {
  const at = (ms: number) => ({
    starts_at: new Date(ms).toISOString(),
    wipe_at: new Date(ms + 48 * hourMs).toISOString(),
  });
  const line = scriptLine(doorPageOf({ places, event: at(pageTime) }));
  const core = await openPaired(line);
  line.changes = ({ since }) =>
    doorPageOf({ from: since!, cursor: 'epoch.2', event: at(pageTime - 365 * 24 * hourMs) });
  line.starts_at = pageTime - 365 * 24 * hourMs;
  await core.syncOnce();
  expect([await core.db.events.count(), await core.readMeta('wiped')]).toEqual([0, ['serata']]);
  // Still the wrong date: it is left alone.
  line.clock.now += 60_000;
  await core.syncOnce();
  const asked = line.asked.length;
  await core.syncOnce();
  expect(line.asked).toHaveLength(asked);
  line.starts_at = pageTime;
  line.changes = ({ since }) =>
    since === undefined
      ? line.list
      : doorPageOf({ from: since, cursor: since, event: at(pageTime) });
  line.clock.now += 60_000;
  await core.syncOnce();
  await core.syncOnce();
  expect([await verdictOf(core, codeOfRow(3)), await core.readMeta('wiped')]).toEqual([
    'admit',
    [],
  ]);
});

test('a list that was to be forgotten when the phone died is forgotten at its next start', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  const device = (await core.readMeta('device'))!;
  await core.writeMeta('device', { ...device, events: [] });
  line.event_ids = [];
  await core.syncOnce();
  expect([
    await core.db.events.count(),
    await core.db.parts.count(),
    core.presence('serata').places,
  ]).toEqual([0, 0, 0]);
});

test('a way out that a wrong clock has put into the future opens the door once, not until then', async () => {
  const line = scriptLine(doorPageOf({ places, admissions: [listedScan(4)] }));
  const core = await openPaired(line);
  line.clock.now += hourMs;
  expect(await verdictOf(core, codeOfRow(4), { direction: 'out' })).toBe('out');
  line.clock.now -= hourMs - 60_000;
  expect(await verdictOf(core, codeOfRow(4))).toBe('admit');
  line.clock.now += 60_000;
  expect(await verdictOf(core, codeOfRow(4))).toBe('already_in');
});

test('what an app that died has left under the next list’s name is never read as a part of it', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  const row = (await core.db.events.get('serata'))!;
  const junk = { iv: new Uint8Array(12), sealed: new ArrayBuffer(64) };
  await core.db.parts.bulkPut(
    [1, 2].flatMap((n) => [
      { event_id: 'serata', generation: row.generation, n, ...junk },
      { event_id: 'serata', generation: row.generation + 1, n, ...junk },
    ]),
  );
  core.stop();
  const again = line.open();
  await again.ready();
  expect(await verdictOf(again, codeOfRow(1))).toBe('admit');
  line.changes = ({ since }) => {
    if (since === 'epoch.1') throw new CallError(409, 'resync_required', 'again');
    return since === undefined
      ? doorPageOf({ cursor: 'epoch.9', places })
      : doorPageOf({ from: since, cursor: since });
  };
  await again.syncOnce();
  expect((await again.db.parts.toArray()).map(({ generation, n }) => [generation, n])).toEqual([
    [row.generation + 1, 0],
  ]);
});

test('a list in the layout of an older app is none: it comes again, and what was read stays', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  expect(await verdictOf(core, codeOfRow(1))).toBe('admit');
  const row = (await core.db.events.get('serata'))!;
  const head = new TextEncoder().encode(
    JSON.stringify({
      texts: {},
      count: 40,
      tickets: 40,
      named: false,
      at: { place_table: [0, 128] },
    }),
  );
  const bytes = new Uint8Array(8 + Math.ceil(head.length / 8) * 8);
  new Uint32Array(bytes.buffer, 0, 2).set([head.length, bytes.length]);
  bytes.set(head, 8);
  await core.db.parts.put(
    await sealPart(
      await readSealKey(core.db),
      { event_id: 'serata', generation: row.generation, n: 0 },
      bytes,
    ),
  );
  core.stop();
  const again = line.open();
  await again.ready();
  expect(await again.db.events.get('serata')).toMatchObject({ generation: 0, cursor: null });
  await again.syncOnce();
  expect([await verdictOf(again, codeOfRow(1)), await verdictOf(again, codeOfRow(2))]).toEqual([
    'just_read',
    'admit',
  ]);
});

test('an app that was updated fetches its whole list anew, because the one before kept less of it', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  const { heads: _, ...row } = (await core.db.events.get('serata'))!;
  await core.db.events.put(row);
  const block = readList(blockAnswerOf(line.list)).block;
  await core.db.parts.put(
    await sealPart(
      await readSealKey(core.db),
      { event_id: 'serata', generation: row.generation, n: 0 },
      asBefore(block),
    ),
  );
  core.stop();
  line.list = doorPageOf({
    places: places.map((place) => ({ ...place, marks: ['Posto per carrozzina'] })),
  });
  line.asked = [];
  const again = line.open();
  await again.ready();
  // Until then the old list serves.
  expect(await verdictOf(again, codeOfRow(1))).toBe('admit');
  const marks = async (n: number) => (await scanText(again, codeOfRow(n))).place?.marks;
  expect(await marks(2)).toBeUndefined();
  await again.syncOnce();
  await again.syncOnce();
  expect(await marks(3)).toEqual(['Posto per carrozzina']);
  // Once, and what is new after it.
  expect(line.asked.map(({ since }) => since)).toEqual([undefined, 'epoch.1', 'epoch.1']);
  expect(await verdictOf(again, codeOfRow(1))).toBe('just_read');
});

/** A block without what lists tell since 1.3.0. */
function asBefore(block: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const [length = 0] = new Uint32Array(block.buffer, block.byteOffset, 1);
  const head = JSON.parse(new TextDecoder().decode(block.subarray(8, 8 + length))) as {
    texts: object;
    at: object;
  };
  const isOlder = ([name]: [string, unknown]) => !/^(?:was|ended|buyer|marks|door_note)/.test(name);
  const older = {
    ...head,
    texts: Object.fromEntries(Object.entries(head.texts).filter(isOlder)),
    at: Object.fromEntries(Object.entries(head.at).filter(isOlder)),
  };
  const bytes = block.slice();
  bytes.set(new TextEncoder().encode(JSON.stringify(older).padEnd(length)), 8);
  return bytes;
}

test('a line that breaks under a batch is given half as much the next time, and more again when it is good', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  for (let n = 0; n < 40; n += 1) await scanText(core, codeOfRow(n));
  const sizes: number[] = [];
  let most = 500;
  line.sending = (items) => {
    sizes.push(items.length);
    if (items.length > most) throw lost();
  };
  most = 30;
  for (let n = 0; n < 12 && sizes.at(-1) !== 0; n += 1) {
    await core.syncOnce().catch(() => {});
    if ((await core.db.queue.where('fate').equals('queued').count()) === 0) break;
  }
  expect(await core.db.queue.where('fate').equals('queued').count()).toBe(0);
  expect(sizes.filter((size) => size <= most).length).toBeGreaterThan(0);
  expect(sizes.filter((size) => size > most).length).toBeLessThan(6);
});

test('a clock that is set right without a line ends no evening', async () => {
  const line = scriptLine(doorPageOf({ places }));
  // Three days behind, as the server has told it.
  let leap = 0;
  const core = line.open({ now: () => line.clock.now - 72 * hourMs + leap });
  await core.pair('pairing-token-of-the-office');
  await core.syncOnce();
  line.failure = lost();
  leap = 72 * hourMs;
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect(await verdictOf(core, codeOfRow(1))).toBe('admit');
});

test('a window that slept while the other one forgot the event and took it anew does not go on with its old list', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const one = await openPaired(line);
  const asleep = line.open();
  await asleep.ready();
  expect(asleep.presence('serata').inside).toBe(0);
  // Taken from the phone, and given back.
  line.event_ids = [];
  line.clock.now += 31_000;
  await one.syncOnce();
  line.event_ids = ['serata'];
  line.list = doorPageOf({ places, admissions: [listedScan(9)] });
  line.clock.now += 31_000;
  await one.syncOnce();
  await one.syncOnce();
  expect(await verdictOf(asleep, codeOfRow(9))).toBe('already_in');
});
