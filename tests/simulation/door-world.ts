/**
 * One evening: the real server with its hall, and phones whose apps live, die and restart on the
 * same storage.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import pino from 'pino';
import { call, callUnread, readBytes } from '#apps/shared/api.ts';
import { openCore } from '#apps/scanner/scan/core.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import { readConfig } from '#server/config.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { previousWire, wireVersion } from '#server/domain/door/wire.ts';
import { openProduct } from '#server/open.ts';
import { addHall, pairingToken } from '#tests/shared/door-hall.ts';
import { copyFirstStart } from '#tests/support/first-start.ts';
import { freePort } from '#tests/support/port.ts';
import { resetChance } from './door-chance.ts';
import type { PhoneInPlay, World } from './door-evening.ts';
import type { Evening } from './door-history.ts';
import { endLife, makeLife, settle, storageOf, working, type Life } from './door-life.ts';
import { sell } from './door-house.ts';
import { makeLine, type Line } from './door-line.ts';
import { makeLocks } from './door-locks.ts';
import { chairs, placesAt, seatsOf, tables } from './door-places.ts';
import { after, resetTime, takeDue, takeNext } from './door-time.ts';
import { withServer } from './door-wire.ts';

/** Free places are kept until a minute after the beginning of such an evening. */
const keptMinutes = 29;

/**
 * An ordinary evening, half an hour before the repeated hour, half an hour before the missing
 * hour; all in Rome.
 */
const nights = ['2026-11-21T19:30:00Z', '2026-10-25T00:30:00Z', '2027-03-28T00:30:00Z'].map((iso) =>
  Date.parse(iso),
);

/**
 * Each evening has a server of its own, because an older one would know things from another
 * evening.
 */
export async function openStage({ night }: Evening) {
  const began = nights[night]!;
  // Uses a file system in memory where there is one, because thousands of small commits need no
  // disk here.
  const dataDir = await mkdtemp(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'botteghino-door-'),
  );
  const clock = { now: began };
  resetTime(() => clock.now);
  await copyFirstStart(dataDir, null);
  resetChance();
  const logged: string[] = [];
  const log = pino(
    { level: 'error' },
    {
      write: (line: string) => {
        logged.push(line);
      },
    },
  );
  const config = readConfig({ PORT: String(await freePort()), DATA_DIR: dataDir }, []);
  const { opened: house, server } = await withServer(() =>
    openProduct(config, { now: () => clock.now, worker: false, log }),
  );
  return {
    house,
    server,
    clock,
    logged,
    close: async () => {
      await house.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The phone that is speaking, set for the moment in which call() reaches fetch. */
let speaker: { life: Life; line: Line } | null = null;

/** The apps' own call() finds a page's address and this fetch. */
export function playBrowser(): void {
  const real = globalThis.fetch;
  Object.assign(globalThis, { location: { origin: 'https://porta.example.it' } });
  globalThis.fetch = ((input: string, init: RequestInit = {}) =>
    speaker && typeof input === 'string' && input.startsWith('/')
      ? speaker.line.fetchAs(speaker.life, input, init)
      : real(input, init)) as typeof fetch;
}

export async function makeWorld(
  stage: Awaited<ReturnType<typeof openStage>>,
  evening: Evening,
  { tellsStory = false } = {},
): Promise<World> {
  const { house, server, clock } = stage;
  const problems: string[] = [];
  const story: string[] = [];
  const figures: Record<string, number> = {};
  const began = clock.now;
  let random = 0x2545f491;
  const nextByte = () => {
    random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (random >>> 13) & 255;
  };
  const event_id = 'sera';
  const tell = tellsStory
    ? (what: string) => {
        story.push(`    ${new Date(clock.now).toISOString().slice(11, 23)}  ${what}`);
      }
    : () => {};
  const wrong = (what: string) => {
    problems.push(what);
    tell(`!! ${what}`);
  };
  const count = (what: string) => {
    figures[what] = (figures[what] ?? 0) + 1;
  };
  const phones: PhoneInPlay[] = [];
  const phoneOf = (life: Life) => phones.find(({ lives }) => lives.includes(life))!;
  const line = makeLine({
    server,
    picks: evening.picks,
    tell,
    count,
    wrong,
    hasSignal: (life) => phoneOf(life).hasSignal,
    inWire: (life, path) =>
      phoneOf(life).older ? path.replace(`wire=${wireVersion}`, `wire=${previousWire}`) : path,
  });

  const portsOf = (phone: PhoneInPlay, life: Life): Ports => ({
    db_name: 'botteghino-scanner',
    indexedDB: storageOf(life, phone.storage),
    IDBKeyRange: IDBKeyRange as typeof globalThis.IDBKeyRange,
    call(endpoint, ask, options) {
      if (life.dead) return new Promise(() => {});
      speaker = { life, line };
      const answer = call(endpoint, ask, options);
      speaker = null;
      return answer;
    },
    async callBytes(endpoint, ask, { onProgress, ...options }) {
      if (life.dead) return new Promise(() => {});
      speaker = { life, line };
      const answer = callUnread(endpoint, ask, options);
      speaker = null;
      return working(readBytes(await answer, onProgress));
    },
    async fetchStream(_, { signal }) {
      if (life.dead || !phone.hasSignal || evening.stream === 0)
        throw new TypeError('fetch failed');
      const encoder = new TextEncoder();
      const forget = (stream: World['streams'][number]) => {
        world.streams = world.streams.filter((other) => other !== stream);
      };
      let stream: World['streams'][number];
      return new ReadableStream<Uint8Array>({
        start(controller) {
          stream = {
            life,
            send: (text: string) => controller.enqueue(encoder.encode(text)),
            end() {
              forget(stream);
              controller.error(new TypeError('terminated'));
            },
          };
          world.streams.push(stream);
          signal?.addEventListener('abort', () => forget(stream));
        },
        cancel: () => forget(stream),
      });
    },
    now: () => clock.now + phone.skew,
    elapsed: () => clock.now - began,
    random: (length) => Uint8Array.from({ length }, nextByte),
    locks: phone.locks.of(life),
    after: (ms, act) =>
      after(ms, () => {
        if (!life.dead) act();
      }),
    isOnline: () => phone.hasSignal,
    appVersion: 'trial',
    mostParts: 6,
  });

  const world: World = {
    house,
    server,
    event_id,
    line,
    phones,
    evening,
    seen: [],
    loose: new Set(),
    papers: new Map(),
    heads: [],
    forged: new Set(),
    tell,
    wrong,
    count,
    problems,
    story,
    figures,
    streams: [],
    now: () => clock.now,
    async pass(ms, leap = false) {
      const until = clock.now + ms;
      for (let next = leap ? undefined : takeNext(until); next; next = takeNext(until)) {
        clock.now = Math.max(clock.now, next.due);
        next.act();
        await settle();
      }
      clock.now = until;
      for (const { act } of takeDue(until)) act();
      await settle();
    },
    async openTab(phone) {
      const life: Life = makeLife(`${phone.name}.${phone.lives.length + 1}`, () => {
        tell(`${life.name} is dead`);
        line.forget(life);
        phone.locks.release(life);
        world.streams = world.streams.filter((stream) => stream.life !== life);
        phone.tabs = phone.tabs.filter((tab) => tab.life !== life);
      });
      phone.lives.push(life);
      const tab = { life, core: openCore(portsOf(phone, life)) };
      phone.tabs.push(tab);
      phone.hadTwoTabs ||= phone.tabs.length > 1;
      tab.core.start();
      await settle();
      return tab;
    },
    kill(phone) {
      for (const { life } of phone.tabs) endLife(life);
    },
    async pair(phone, token) {
      const [tab] = phone.tabs;
      const paired = tab!.core.pair(token);
      await line.drain();
      await paired;
      phone.phone_id = (await tab!.core.readMeta('device'))!.phone_id;
    },
    async newPhone(name, { older } = { older: false }) {
      const phone: PhoneInPlay = {
        name,
        phone_id: '',
        storage: new IDBFactory(),
        locks: makeLocks(),
        tabs: [],
        lives: [],
        hasSignal: true,
        skew: (evening.skews[phones.length] ?? 0) * 1_000,
        hadTwoTabs: false,
        wasSet: false,
        revoked: null,
        hasForged: false,
        evicted: false,
        older,
      };
      phones.push(phone);
      await world.openTab(phone);
      await world.pair(
        phone,
        await pairingToken(house.ctx, {
          name,
          event_ids: [event_id],
          role: phones.length === 1 ? 'supervisor' : 'steward',
        }),
      );
      return phone;
    },
    async close() {
      for (const phone of phones) world.kill(phone);
      await settle();
    },
  };

  await addHall(house.ctx, {
    id: event_id,
    places: evening.tables
      ? [{ label: 'A1', gate: null }, ...tables.map((label) => ({ label, gate: null, chairs }))]
      : seatsOf({ evening }).map((label) => ({ label, gate: null })),
    whole_terms: evening.tables ? JSON.stringify(emptyForm.whole_terms) : null,
    // The doors are open for long, so that a scan counts although its phone's clock is wrong by
    // hours.
    doors_at: began - 4 * 3_600_000,
    reentry: evening.reentry ? 1 : 0,
    free_until_minutes: evening.keeps ? keptMinutes : null,
    verify_policy: evening.admitsUnknown ? 'admit' : 'ask',
  });
  await sell(world, { places: evening.tables ? placesAt('T1') : seatsOf({ evening }).slice(0, 4) });
  for (let n = 0; n < evening.phones; n += 1)
    await world.newPhone(`Varco ${'ABCDE'[n]}`, { older: evening.older?.includes(n) ?? false });
  await world.pass(1_000);
  await line.drain();
  return world;
}
