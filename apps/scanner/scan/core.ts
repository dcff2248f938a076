/**
 * One phone without its screen: memory, disk, rules and sync behind one object, used by the app
 * and by processes that run many phones.
 */
import { liveQuery } from 'dexie';
import { chooseGate } from '#apps/scanner/device/gate.ts';
import { askHouse } from '#apps/scanner/device/house.ts';
import { checkPin, closeKey, isKeyOpen } from '#apps/scanner/device/supervisor.ts';
import { pairWith } from '#apps/scanner/device/pairing.ts';
import { emptyMemory, entriesAmong, refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { recognise, recognisePlace } from '#apps/scanner/list/recognise.ts';
import { search, searchedBy } from '#apps/scanner/list/search.ts';
import { readMeta, ScannerDb, writeMeta, type Meta } from '#apps/scanner/kit/store.ts';
import { observable } from '#apps/scanner/kit/observable.ts';
import { correctedNow, newWatch } from '#apps/scanner/kit/clock.ts';
import { exportQueue, queueChain } from '#apps/scanner/sync/export.ts';
import { batchSize } from '#apps/scanner/sync/hand-in.ts';
import { makeLine } from '#apps/scanner/kit/line.ts';
import { keepStatus } from '#apps/scanner/kit/line-status.ts';
import { Rhythm } from '#apps/scanner/sync/rhythm.ts';
import {
  answer,
  askSupervisor,
  readConsent,
  refusalOf,
  seatAskedAbout,
  supervisorsOf,
} from './approval.ts';
import { makeReopener, withReopening } from '#apps/scanner/kit/reopen.ts';
import { storeFault } from '#apps/scanner/kit/store-fault.ts';
import { admit, admitAgain, admitGroup } from './admit.ts';
import { countHeads, headsOf, mayTakeBack, undoHeads } from './heads.ts';
import { lookUp } from './look-up.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import { presence } from './presence.ts';
import { lastUndoable, undo, undoableWith, undoAgain } from './undo.ts';
import { newId } from './write-scans.ts';

export type Core = ReturnType<typeof openCore>;

export function openCore(ports: Ports) {
  const phone = makePhone(ports);
  const { db, memory, status, changes } = phone;
  const ready = makeReady(phone);
  const { bind, bindDisk, bindReady } = bindTo(phone, ready);
  return {
    db,
    status,
    /** Called after every change of what the phone has in memory. */
    subscribe: changes.subscribe,
    /** A number that increases with every such change. */
    version: changes.read,
    ...makeCare(phone),

    recognise: bindDisk(recognise),
    recognisePlace: bind(recognisePlace),
    admit: bindReady(admit),
    admitGroup: bindReady(admitGroup),
    lookUp: bindDisk(lookUp),
    undo: bindReady(undo),
    admitAgain: bindReady(admitAgain),
    undoAgain: bindReady(undoAgain),
    chooseGate: bind(chooseGate),
    entriesAmong: bind(entriesAmong),
    lastUndoable: bind(lastUndoable),
    undoableWith: bind(undoableWith),
    search: bind(search),
    searchedBy: bind(searchedBy),
    presence: bind(presence),
    heads: bind(headsOf),
    mayTakeHeadsBack: bind(mayTakeBack),
    countHeads: bindDisk(countHeads),
    undoHeads: bindDisk(undoHeads),
    newId: bind(newId),

    ...makeConsents(phone, { bind, bindDisk }),

    /** The server's time as far as this phone can tell; scans have it, too. */
    now: () => correctedNow(phone, memory.clock).corrected,
    exportQueue: bindDisk(exportQueue),
    queueChain: bindDisk(queueChain),

    /**
     * Resolves when the lists of all events are in memory; rejects when the storage fails to
     * open.
     */
    ready,
    /** Reads into memory what another tab has written. */
    refresh: bindDisk(refresh),
    ...makeContact(phone, ready),
  };
}

/** The PIN of a supervisor's phone, and the questions and answers between phones. */
function makeConsents(
  phone: Phone,
  { bind, bindDisk }: Pick<ReturnType<typeof bindTo>, 'bind' | 'bindDisk'>,
) {
  return {
    checkPin: bindDisk(checkPin),
    isKeyOpen: bind(isKeyOpen),
    closeKey: bind(closeKey),
    keyOpenUntil: () => phone.memory.keyOpenUntil,

    askSupervisor: bind(askSupervisor),
    supervisorsOf: bind(supervisorsOf),
    readConsent: bind(readConsent),
    refusalOf: bind(refusalOf),
    seatAskedAbout: bind(seatAskedAbout),
    answer: bindDisk(answer),
  };
}

function bindTo(phone: Phone, ready: () => Promise<void>) {
  return {
    /** Gives the same function with this phone as its first argument. */
    bind:
      <A extends unknown[], R>(act: (phone: Phone, ...ask: A) => R) =>
      (...ask: A): R =>
        act(phone, ...ask),
    /** As `bind`, for work that may be repeated after the database was lost and opened again. */
    bindDisk:
      <A extends unknown[], R>(act: (phone: Phone, ...ask: A) => Promise<R>) =>
      (...ask: A): Promise<R> =>
        withReopening(phone, async () => {
          await ready();
          return act(phone, ...ask);
        }),
    /** As `bind`, but waits until the lists are in memory. */
    bindReady:
      <A extends unknown[], R>(act: (phone: Phone, ...ask: A) => Promise<R>) =>
      async (...ask: A): Promise<R> => {
        await ready();
        return act(phone, ...ask);
      },
  };
}

function makePhone(ports: Ports): Phone {
  const { db_name, indexedDB, IDBKeyRange } = ports;
  const db = new ScannerDb({
    db_name,
    ...(indexedDB ? { indexedDB } : {}),
    ...(IDBKeyRange ? { IDBKeyRange } : {}),
  });
  return {
    ports,
    db,
    reopener: makeReopener(db, ports.after),
    memory: emptyMemory(),
    status: keepStatus(ports.isOnline()),
    line: makeLine(ports.after),
    changes: observable(0),
    opening: new Map(),
    pace: { batch: batchSize },
    watch: newWatch(),
  };
}

/** Reads the disk once; a failed reading is tried again. */
function makeReady(phone: Phone): () => Promise<void> {
  let first: Promise<void> | undefined;
  return () => {
    first ??= withReopening(phone, () => refresh(phone)).catch((error: unknown) => {
      first = undefined;
      throw error;
    });
    return first;
  };
}

/** Access to the database for the screens, also after it was lost. */
function makeCare(phone: Phone) {
  const { db } = phone;
  return {
    readMeta: <K extends keyof Meta>(key: K) => withReopening(phone, () => readMeta(db, key)),
    writeMeta: <K extends keyof Meta>(key: K, value: Meta[K]) =>
      withReopening(phone, () => writeMeta(db, key, value)),
    /**
     * Counts how often a lost database was opened again; live queries restart whenever it grows.
     */
    reopened: phone.reopener.times,
    recover: (error: unknown, since: number) => recover(phone, error, since),
  };
}

/**
 * After a failed reading for the screen: true when the database is open again, or the app is
 * about to be loaded anew. `since`: what `reopened` was before.
 */
async function recover(
  { reopener, ports }: Phone,
  error: unknown,
  since: number,
): Promise<boolean> {
  if (storeFault(error) !== 'lost') return false;
  return (await reopener.reopen(since)) || (ports.restart?.(null) ?? false);
}

/** Pairing, the calls to the server, and how they start and stop. */
function makeContact(phone: Phone, ready: () => Promise<void>) {
  const { db, status, line } = phone;
  const rhythm = new Rhythm(phone);
  let otherTabs: (() => void) | undefined;
  return {
    async pair(token: string): Promise<void> {
      await pairWith(phone, token);
      rhythm.now();
    },
    /** Asks whose scanner this is, for the pairing screen; unknown without a connection. */
    askHouse(): void {
      void askHouse(phone).catch(() => {});
    },
    /** Simulates a lost signal until it is switched off or the app starts again. */
    setNoNetwork(on: boolean): void {
      line.open(on);
      status.change({ no_network: on, ...(on ? { online: false } : {}) });
      if (!on) rhythm.now();
    },
    /** Starts the regular calls. */
    start(): void {
      void ready().then(rhythm.start, rhythm.start);
      otherTabs ??= watchOtherTabs(phone);
    },
    syncNow: rhythm.now,
    syncSoon: rhythm.soon,
    wake: rhythm.wake,
    /** Called when the system reports that the signal is lost. */
    lost(): void {
      status.change({ online: false });
      line.cut();
    },
    /** Runs one cycle, without the regular calls; throws its first error. */
    async syncOnce(): Promise<void> {
      await ready();
      await rhythm.once();
    },
    /** Ends everything: timers, calls, the database. */
    stop(): void {
      otherTabs?.();
      rhythm.stop();
      phone.reopener.stop();
      db.close();
    },
  };
}

/**
 * Takes over what another tab has written: its scans, a new list, a new pairing. Runs until the
 * returned function is called.
 */
function watchOtherTabs(phone: Phone): () => void {
  const { db, memory } = phone;
  const question = async () => ({
    events: await db.events.toArray(),
    seq: (await readMeta(db, 'seq')) ?? 0,
    device: await readMeta(db, 'device'),
    heads: await db.heads.toArray(),
  });
  const compare = ({ events, seq, device, heads }: Awaited<ReturnType<typeof question>>) => {
    if (memory.seq === null) return;
    const ownHeads = new Map(
      [...memory.heads.values()].flat().map((count) => [count.head_id, count.fate]),
    );
    const isBehind =
      seq > memory.seq ||
      heads.some(({ head_id, fate }) => ownHeads.get(head_id) !== fate) ||
      device?.phone_id !== memory.device?.phone_id ||
      events.length !== memory.events.size ||
      events.some(({ event_id, generation, parts, updated_at }) => {
        const list = memory.lists.get(event_id);
        return (
          (generation > 0 && (list?.generation !== generation || list.parts < parts)) ||
          memory.events.get(event_id)?.updated_at !== updated_at
        );
      });
    if (isBehind) void refresh(phone).catch(() => {});
  };
  const { times } = phone.reopener;
  const watch = () => liveQuery(question).subscribe({ next: compare, error: () => {} });
  let watching = watch();
  // A live query does not survive the loss of its database.
  const unsubscribe = times.subscribe(() => {
    watching.unsubscribe();
    watching = watch();
  });
  return () => {
    unsubscribe();
    watching.unsubscribe();
  };
}
