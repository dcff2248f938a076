/**
 * The phones' cores with a server whose every answer the test writes, for answers that a real
 * server rarely gives.
 */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { onTestFinished } from 'vitest';
import { CallError, networkError } from '#apps/shared/api.ts';
import { openCore, type Core } from '#apps/scanner/scan/core.ts';
import type { House, Identity } from '#apps/scanner/kit/store.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import type { DoorChanges } from '#server/contract/door/door-list.ts';
import type { DoorPin, PhoneRole } from '#server/domain/door/phone.ts';
import { blockAnswerOf, doorPageOf, pageTime } from './door/door-page.ts';

interface ListAsk {
  since?: string;
}

interface Beat {
  signing_key?: string;
  gate_choice?: { gate: string | null; over: string | null };
}

export interface ScriptedLine {
  clock: { now: number };
  storage: IDBFactory;
  role: PhoneRole;
  pin: DoorPin | null;
  /** The supervisors that a steward's phone may ask. */
  supervisors: Identity['supervisors'];
  /** The organisation that runs the door. */
  house: House;
  /** The received heartbeats. */
  beats: Beat[];
  /** The office's gate for the phone. */
  gate: string | null;
  phone_id: string;
  event_ids: string[];
  /** The requests for the list, and their answer; by default nothing new after `list`. */
  list: DoorChanges;
  changes: (query: ListAsk) => unknown;
  asked: ListAsk[];
  /** The error thrown instead of any answer. */
  failure: unknown;
  sent: ScanSent[];
  /** Called with a batch before it is accepted; it throws to break the connection. */
  sending: (items: ScanSent[]) => void;
  /** The token of this phone after its next pairing. */
  token: string;
  /** When the evening begins by the heartbeat; null: now. */
  starts_at: number | null;
  pairings: { previous_token?: string }[];
  call: (endpoint: { path: string }, ask: object, options: never) => Promise<unknown>;
  stream: (() => ReadableStream<Uint8Array>) | null;
  open: (changes?: Partial<Ports>) => Core;
}

/** A phone's storage and clock; each `open` starts the app or another tab, until the test ends. */
export function scriptLine(list: DoorChanges): ScriptedLine {
  const line: ScriptedLine = {
    clock: { now: pageTime },
    storage: new IDBFactory(),
    role: 'steward',
    pin: null,
    supervisors: [],
    house: { name: 'Teatro Goldoni', logo: null, accent: null },
    beats: [],
    gate: 'Varco A',
    phone_id: 'p1',
    event_ids: [list.event.id],
    list,
    asked: [],
    failure: null,
    sent: [],
    stream: null,
    sending: () => {},
    token: 'token',
    starts_at: null,
    pairings: [],
    call: (endpoint, ask, options) => portsOf(line).call(endpoint as never, ask as never, options),
    changes: ({ since }) =>
      since === undefined
        ? line.list
        : doorPageOf({ from: since, cursor: since, event: line.list.event }),
    open(changes = {}) {
      const core = openCore({ ...portsOf(line), ...changes });
      onTestFinished(() => core.stop());
      return core;
    },
  };
  return line;
}

export function lost(): CallError {
  return new CallError('unknown', networkError, 'Network error');
}

function portsOf(line: ScriptedLine): Ports {
  return {
    db_name: 'botteghino-scanner',
    indexedDB: line.storage,
    IDBKeyRange: IDBKeyRange as typeof globalThis.IDBKeyRange,
    now: () => line.clock.now,
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    locks: navigator.locks,
    isOnline: () => true,
    appVersion: 'test',
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    call: (async (
      { path }: { path: string },
      ask: {
        query?: ListAsk;
        body?: { items: ScanSent[]; previous_token?: string; signing_key?: string };
      },
    ) => {
      if (line.failure !== null) throw line.failure;
      const server_time = new Date(line.clock.now).toISOString();
      const identity = {
        house: line.house,
        name: 'Luca',
        gate: line.gate,
        chooses_gate: true,
        role: line.role,
        supervisor_pin: line.role === 'supervisor' ? line.pin : null,
        asks_supervisor: line.role === 'steward' && line.pin !== null,
        supervisors: line.role === 'steward' ? line.supervisors : [],
        events: line.event_ids.map((id) => ({
          id,
          title: 'Serata',
          starts_at: line.starts_at === null ? server_time : new Date(line.starts_at).toISOString(),
          rehearsal: false,
          gates: ['Varco A', 'Varco B'],
        })),
        server_time,
        wire_version: 2,
      };
      if (path.endsWith('/pair')) {
        line.pairings.push(ask.body!);
        return { device_token: line.token, phone_id: line.phone_id, ...identity, next_seq: 0 };
      }
      if (path.endsWith('/heartbeat')) {
        line.beats.push(ask.body!);
        return identity;
      }
      if (/\/(?:changes|list)$/.test(path)) {
        line.asked.push(ask.query!);
        return structuredClone(await line.changes(ask.query!));
      }
      line.sending(ask.body!.items);
      line.sent.push(...ask.body!.items);
      return {
        results: ask.body!.items.map(({ admission_id, verdict }, index) => ({
          admission_id,
          index,
          result: 'stored',
          verdict,
          conflict_with: null,
        })),
        server_time,
      };
    }) as never,
    async callBytes(endpoint, ask, options) {
      const answer = blockAnswerOf(
        (await line.call(endpoint, ask, options as never)) as DoorChanges,
      );
      options.onProgress(answer.byteLength, answer.byteLength);
      return answer;
    },
    ...(line.stream === null ? {} : { fetchStream: async () => line.stream!() }),
  };
}

/** A phone that is paired and has its list. */
export async function openPaired(line: ScriptedLine, changes: Partial<Ports> = {}): Promise<Core> {
  const core = line.open(changes);
  await core.pair('pairing-token-of-the-office');
  await core.syncOnce();
  return core;
}

export async function scanText(
  core: Core,
  text: string,
  {
    direction = 'in',
    override = null,
    event_id = 'serata',
  }: { direction?: 'in' | 'out'; override?: string | null; event_id?: string } = {},
) {
  return core.admit({
    event_id,
    recognised: await core.recognise(event_id, text),
    direction,
    override,
    means: 'code',
    note: null,
  });
}

/** The verdict of a scan without its details. */
export async function verdictOf(...scan: Parameters<typeof scanText>) {
  return (await scanText(...scan)).verdict;
}
