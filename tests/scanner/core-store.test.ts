/** A phone whose browser drops its database: opened again, or loaded anew, and every scan counts once. */
import { expect, test } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import type { Pending } from '#apps/scanner/scan/pending.ts';
import { until } from '#tests/support/make.ts';
import { codeOfRow, doorPageOf, listedPlace } from '#tests/support/door/door-page.ts';
import { openPaired, scanText, scriptLine, verdictOf } from '#tests/support/scripted-line.ts';

const places = Array.from({ length: 40 }, (_, n) => listedPlace(n));

/** What browsers call it. */
const names = [
  'UnknownError',
  'InvalidStateError',
  'DatabaseClosedError',
  'AbortError',
  'TransactionInactiveError',
] as const;
/** Before anything is written; written and rolled back; written for good, but the page is told otherwise. */
const steps = ['before', 'inside', 'after'] as const;
type Step = (typeof steps)[number];

function named(name: string): Error {
  return Object.assign(new Error('Connection to Indexed Database server lost'), { name });
}

/** From now on the browser opens no database, as WebKit in a page that was in the background. */
function closeStorage(storage: IDBFactory): () => void {
  const { open } = storage;
  storage.open = () => {
    const request = { error: named('UnknownError') } as unknown as IDBOpenDBRequest;
    queueMicrotask(() => {
      const event = { target: request, preventDefault() {}, stopPropagation() {} };
      request.onerror?.(event as unknown as Event);
    });
    return request;
  };
  return () => {
    storage.open = open;
  };
}

/** The next transactions that write scans fail. `storage`: it opens no more either. */
function loseStore(
  core: Core,
  step: Step,
  { name = 'UnknownError', storage = null as IDBFactory | null } = {},
) {
  const { db } = core;
  const { transaction } = db;
  let left = 1;
  let mend = () => {};
  db.transaction = (async (mode: 'rw', tables: { name: string }[], scope: () => unknown) => {
    const run = (work: () => unknown) => Reflect.apply(transaction, db, [mode, tables, work]);
    const touched = tables.map((table) => table.name);
    const isScan = touched.includes('queue') && !touched.includes('parts');
    if (left === 0 || mode !== 'rw' || !isScan) return run(scope);
    left -= 1;
    if (storage) mend = closeStorage(storage);
    if (step === 'before') throw named(name);
    const done = await run(async () => {
      const value = await scope();
      if (step === 'inside') throw named(name);
      return value;
    });
    if (step === 'after') throw named(name);
    return done;
  }) as unknown as typeof transaction;
  return () => {
    db.transaction = transaction;
    mend();
  };
}

async function idsIn(core: Core): Promise<string[]> {
  return (await core.db.queue.orderBy('seq').toArray()).map(({ admission_id }) => admission_id);
}

test.for(names)(
  'a scan that meets %s at any step is decided again under its own id, and counts once',
  async (name) => {
    for (const step of steps) {
      const line = scriptLine(doorPageOf({ places }));
      const core = await openPaired(line);
      loseStore(core, step, { name });
      const shown = await scanText(core, codeOfRow(1));
      expect([shown.verdict, await idsIn(core)], step).toEqual(['admit', [shown.admission_id]]);
      expect(core.reopened.read(), step).toBe(1);
      // Memory knows of it once, too: its number, its guest, and that it may be taken back.
      expect(core.presence('serata').inside, step).toBe(1);
      line.clock.now += 60_000;
      expect(await verdictOf(core, codeOfRow(1)), step).toBe('already_in');
      await core.syncOnce();
      expect(
        line.sent.map(({ seq }) => seq),
        step,
      ).toEqual([0, 1]);
      core.stop();
    }
  },
);

test('what is let in together or taken back is not done twice when the database is lost', async () => {
  for (const step of steps) {
    const line = scriptLine(doorPageOf({ places }));
    const core = await openPaired(line);
    const leader = await core.recognise('serata', codeOfRow(1));
    loseStore(core, step);
    const group = await core.admitGroup({
      event_id: 'serata',
      leader,
      places: [places[2]!.place, places[3]!.place],
      direction: 'in',
    });
    expect(
      group.map(({ verdict }) => verdict),
      step,
    ).toEqual(['admit', 'admit']);
    expect(await idsIn(core), step).toEqual(group.map(({ admission_id }) => admission_id));
    loseStore(core, step);
    const [first, second] = group.map(({ admission_id }) => admission_id) as [string, string];
    expect(
      await core.undo({
        event_id: 'serata',
        admission_id: first,
        together: [second],
        reason: 'Errore',
      }),
      step,
    ).toMatchObject({ undone: true, count: 2 });
    expect(await idsIn(core), step).toHaveLength(4);
    expect(core.presence('serata').inside, step).toBe(0);
    core.stop();
  }
});

/** The phone's browser opens the database only for a new page; gives what that page gets. */
async function restartAfter(step: Step, act: (core: Core) => Promise<unknown>) {
  const line = scriptLine(doorPageOf({ places }));
  const asked = Promise.withResolvers<string | null>();
  const core = await openPaired(line, {
    restart: (pending) => {
      asked.resolve(pending);
      return true;
    },
    after: (ms, run) => {
      const timer = setTimeout(run, Math.min(ms, 100_000));
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
  const first = await scanText(core, codeOfRow(5));
  const mend = loseStore(core, step, { storage: line.storage });
  void act(core).catch(() => {});
  const text = await asked.promise;
  core.stop();
  mend();
  const next = line.open();
  await next.ready();
  return { line, first, text: text!, pending: JSON.parse(text!) as Pending, next };
}

test('a database that opens only for a new page: the app is loaded anew and decides the scan under the same id', async () => {
  for (const step of steps) {
    const code = codeOfRow(1);
    const { line, text, pending, next } = await restartAfter(step, (core) => scanText(core, code));
    // No code lies in the browser's storage; the proof of it does.
    expect(text.includes(code), step).toBe(false);
    if (pending.kind !== 'scans') throw new Error('Not a scan');
    const [shown] = await next.admitAgain(pending);
    expect([shown!.verdict, shown!.admission_id], step).toEqual([
      'admit',
      pending.scans[0]!.admission_id,
    ]);
    expect(shown!.first, step).toBeNull();
    expect(shown!.party.companions, step).toEqual([]);
    expect(await idsIn(next), step).toHaveLength(2);
    await next.syncOnce();
    expect(line.sent.at(-1), step).toMatchObject({
      admission_id: shown!.admission_id,
      verdict: 'admit',
      means: 'code',
      code_read: { place: places[1]!.place, mac: expect.stringMatching(/^[\w-]{22}$/) as string },
    });
    next.stop();
  }
});

test('an undo that meets it is carried out once by the new page', async () => {
  for (const step of steps) {
    const { pending, next, first } = await restartAfter(step, async (core) =>
      core.undo({
        event_id: 'serata',
        admission_id: core.lastUndoable('serata')!.admission_id,
        reason: 'Errore',
      }),
    );
    if (pending.kind !== 'undo') throw new Error('Not an undo');
    expect(await next.undoAgain(pending), step).toMatchObject({ undone: true, count: 1 });
    const rows = await next.db.queue.orderBy('seq').toArray();
    expect(
      rows.map(({ annuls }) => annuls),
      step,
    ).toEqual([null, first.admission_id]);
    next.stop();
  }
});

test('a full phone is neither opened again nor loaded anew, and where a restart is of no use the failure is said', async () => {
  const line = scriptLine(doorPageOf({ places }));
  let restarts = 0;
  const core = await openPaired(line, {
    restart: () => {
      restarts += 1;
      return false;
    },
  });
  const roomy = loseStore(core, 'inside', { name: 'QuotaExceededError' });
  await expect(scanText(core, codeOfRow(2))).rejects.toMatchObject({ name: 'QuotaExceededError' });
  expect([restarts, core.reopened.read()]).toEqual([0, 0]);
  roomy();
  const mend = loseStore(core, 'before', { storage: line.storage });
  await expect(scanText(core, codeOfRow(1))).rejects.toMatchObject({ name: 'UnknownError' });
  expect(restarts).toBe(1);
  mend();
  // Once there is room and a line to the database, the same phone goes on.
  expect(await verdictOf(core, codeOfRow(2))).toBe('admit');
});

test('the connection that ends between two guests is opened again by whoever needs it next, and no list is thrown away', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const restarts: (string | null)[] = [];
  let isBusy = true;
  const core = await openPaired(line, {
    restart: (pending) => {
      restarts.push(pending);
      return true;
    },
    isBusy: () => isBusy,
  });
  const { db } = core;
  core.start();
  await until(() => Promise.resolve(core.status.read().online));
  const mend = closeStorage(line.storage);
  db.close({ disableAutoOpen: false });
  core.syncNow();
  const isTold = () => core.status.read().trouble !== null && !core.status.read().syncing;
  await until(() => Promise.resolve(isTold()));
  // Space would not help, and nobody is interrupted.
  expect([core.status.read().trouble, restarts]).toEqual([
    'Il telefono non apre i suoi dati: chiudi e riapri l’app',
    [],
  ]);
  isBusy = false;
  core.syncNow();
  await until(() => Promise.resolve(restarts.length > 0));
  expect(restarts[0]).toBeNull();

  mend();
  core.syncNow();
  await until(() => Promise.resolve(core.status.read().trouble === null));
  expect([await db.parts.count(), await verdictOf(core, codeOfRow(1))]).toEqual([1, 'admit']);
});

test('a list whose key cannot be read at the moment stays on the disk', async () => {
  const line = scriptLine(doorPageOf({ places }));
  (await openPaired(line)).stop();
  const core = line.open();
  const { get } = core.db.meta;
  let isLost = true;
  core.db.meta.get = ((key: string) =>
    key === 'seal_key' && isLost
      ? Promise.reject(named('InvalidStateError'))
      : Reflect.apply(get, core.db.meta, [key])) as unknown as typeof get;
  await expect(core.ready()).rejects.toMatchObject({ name: 'InvalidStateError' });
  isLost = false;
  expect(await verdictOf(core, codeOfRow(1))).toBe('admit');
});
