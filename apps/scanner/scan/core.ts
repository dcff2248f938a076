/** One phone of the door without its screen: memory, disk, rules and rhythm behind one handle, for the app and for many phones in one process. */
import { liveQuery } from 'dexie';
import { admit, admitGroup, type AdmitAsk, type Shown } from './admit.ts';
import { correctedNow, newWatch } from '#apps/scanner/sync/clock.ts';
import { exportQueue, queueChain } from '#apps/scanner/sync/export.ts';
import { batchSize } from '#apps/scanner/sync/hand-in.ts';
import { makeLine } from '#apps/scanner/sync/line.ts';
import { keepStatus, type StatusKeeper } from '#apps/scanner/sync/line-status.ts';
import { lookUp, type TicketView } from './look-up.ts';
import { emptyMemory, refresh, type Phone } from '#apps/scanner/list/memory.ts';
import { pairWith } from '#apps/scanner/device/pairing.ts';
import type { Ports } from './ports.ts';
import { presence, type PhonePresence } from './presence.ts';
import { recognise, recognisePlace, type Recognised } from '#apps/scanner/list/recognise.ts';
import { search, type FoundPlace } from '#apps/scanner/list/search.ts';
import {
  readMeta,
  ScannerDb,
  writeMeta,
  type Device,
  type Meta,
} from '#apps/scanner/list/store.ts';
import {
  checkPin,
  isRaised,
  lowerSupervisor,
  raiseToSupervisor,
  type PinAnswer,
} from '#apps/scanner/device/supervisor.ts';
import { makeRhythm } from '#apps/scanner/sync/sync.ts';
import { lastUndoable, undo, type Undone, type UndoableScan } from './undo.ts';
import type { Direction } from '#server/domain/admission.ts';

export interface Core {
  db: ScannerDb;
  status: StatusKeeper;
  /** Called after every change of what the phone has in memory. */
  subscribe: (listener: () => void) => () => void;
  /** Grows with every such change. */
  version: () => number;
  readMeta: <K extends keyof Meta>(key: K) => Promise<Meta[K] | undefined>;
  writeMeta: <K extends keyof Meta>(key: K, value: Meta[K]) => Promise<void>;

  recognise: (event_id: string, text: string) => Promise<Recognised>;
  recognisePlace: (event_id: string, place: string) => Recognised;
  admit: (ask: AdmitAsk) => Promise<Shown>;
  admitGroup: (ask: {
    event_id: string;
    places: readonly string[];
    direction: Direction;
  }) => Promise<Shown[]>;
  lookUp: (event_id: string, recognised: Recognised) => Promise<TicketView>;
  undo: (ask: { event_id: string; admission_id: string; reason: string }) => Promise<Undone>;
  lastUndoable: (event_id: string) => UndoableScan | null;
  search: (event_id: string, text: string, limit?: number) => FoundPlace[];
  presence: (event_id: string) => PhonePresence;

  checkPin: (pin: string) => Promise<PinAnswer>;
  isSupervisor: (device: Pick<Device, 'role'>) => boolean;
  raiseToSupervisor: () => void;
  lowerSupervisor: () => void;
  supervisorUntil: () => number | null;

  /** The server's time as far as this phone knows it, as scans carry it. */
  now: () => number;

  exportQueue: () => Promise<{ name: string; blob: Blob }>;
  queueChain: () => Promise<string[]>;
  pair: (token: string) => Promise<void>;
  /** Plays that there is no signal until it is switched off or the app starts again. */
  setNoNetwork: (on: boolean) => void;

  /** The lists of all events lie in memory: ready to scan. Rejects when the storage does not open. */
  ready: () => Promise<void>;
  /** Memory as it stands on the disk: after another tab has written. */
  refresh: () => Promise<void>;
  /** Begins the rhythm. */
  start: () => void;
  syncNow: () => void;
  syncSoon: () => void;
  wake: () => void;
  /** The system says that the signal is gone. */
  lost: () => void;
  /** One cycle, without the rhythm; throws its first error. */
  syncOnce: () => Promise<void>;
  /** Everything ends: timers, calls, the database. */
  stop: () => void;
}

export function openCore(ports: Ports): Core {
  const { db_name, indexedDB, IDBKeyRange } = ports;
  const phone: Phone = {
    ports,
    db: new ScannerDb({
      db_name,
      ...(indexedDB ? { indexedDB } : {}),
      ...(IDBKeyRange ? { IDBKeyRange } : {}),
    }),
    memory: emptyMemory(),
    status: keepStatus(ports.isOnline()),
    line: makeLine(ports.after),
    listeners: new Set(),
    opening: new Map(),
    pace: { batch: batchSize },
    watch: newWatch(),
  };
  const { db, memory, status, line } = phone;
  const rhythm = makeRhythm(phone);
  let first: Promise<void> | undefined;
  let watching: { unsubscribe: () => void } | undefined;
  const ready = () => {
    first ??= refresh(phone).catch((error: unknown) => {
      first = undefined;
      throw error;
    });
    return first;
  };
  return {
    db,
    status,
    ready,
    subscribe(listener) {
      phone.listeners.add(listener);
      return () => phone.listeners.delete(listener);
    },
    version: () => memory.version,
    readMeta: (key) => readMeta(db, key),
    writeMeta: (key, value) => writeMeta(db, key, value),
    async recognise(event_id, text) {
      await ready();
      return recognise(phone, event_id, text);
    },
    recognisePlace: (event_id, place) => recognisePlace(phone, event_id, place),
    async admit(ask) {
      await ready();
      return admit(phone, ask);
    },
    async admitGroup(ask) {
      await ready();
      return admitGroup(phone, ask);
    },
    lookUp: (event_id, recognised) => lookUp(phone, event_id, recognised),
    async undo(ask) {
      await ready();
      return undo(phone, ask);
    },
    lastUndoable: (event_id) => lastUndoable(phone, event_id),
    search: (event_id, text, limit) => search(phone, event_id, text, limit),
    presence: (event_id) => presence(phone, event_id),
    checkPin: (pin) => checkPin(phone, pin),
    isSupervisor: (device) => isRaised(phone, device),
    raiseToSupervisor: () => raiseToSupervisor(phone),
    lowerSupervisor: () => lowerSupervisor(phone),
    supervisorUntil: () => memory.supervisorUntil,
    now: () => correctedNow(phone, memory.clock).corrected,
    exportQueue: () => exportQueue(phone),
    queueChain: () => queueChain(phone),
    async pair(token) {
      await pairWith(phone, token);
      rhythm.now();
    },
    setNoNetwork(on) {
      line.open(on);
      status.change({ no_network: on, ...(on ? { online: false } : {}) });
      if (!on) rhythm.now();
    },
    refresh: () => refresh(phone),
    start() {
      void ready().then(rhythm.start, rhythm.start);
      watching ??= watchOtherTabs(phone);
    },
    syncNow: rhythm.now,
    syncSoon: rhythm.soon,
    wake: rhythm.wake,
    lost() {
      status.change({ online: false });
      line.cut();
    },
    async syncOnce() {
      await ready();
      await rhythm.once();
    },
    stop() {
      watching?.unsubscribe();
      rhythm.stop();
      db.close();
    },
  };
}

/** What another tab has written: its scans, the list that it has taken, a new pairing. */
function watchOtherTabs(phone: Phone): { unsubscribe: () => void } {
  const { db, memory } = phone;
  const question = async () => ({
    events: await db.events.toArray(),
    seq: (await readMeta(db, 'seq')) ?? 0,
    device: await readMeta(db, 'device'),
  });
  const compare = ({ events, seq, device }: Awaited<ReturnType<typeof question>>) => {
    if (memory.seq === null) return;
    const isBehind =
      seq > memory.seq ||
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
  return liveQuery(question).subscribe({ next: compare, error: () => {} });
}
