/** A theatre's days in minutes: everybody does everything at once while things break, rules are looked at all along, and in the end each promise is looked up. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from '#db/engine/dialect.ts';
import { getEvent } from '#server/contract/events.ts';
import { openShift } from '#server/contract/shifts.ts';
import { acceptFirst, callOk, demoEvent, until } from '#tests/support/make.ts';
import { Gauges, type Growth } from './gauges.ts';
import { startSoakHouse, type SoakHouse } from './house.ts';
import { Ledger } from './ledger.ts';
import { openEvening, workInOffice } from './office.ts';
import { findBroken, findBrokenPromises, findUnlikeMap, findUnlikePicture } from './promises.ts';
import { killOne, sqliteDisk, troublesOf, type Disk } from './troubles.ts';
import { visit } from './visitors.ts';
import { keepDoor, openGate, watchMap } from './watchers.ts';
import { chanceOf, pairTaker, type World } from './world.ts';

interface SoakOptions {
  minutes: number;
  processes: number;
  /** Of an empty PostgreSQL database; null: SQLite. */
  address: string | null;
  /** Of PostgreSQL's tables; null: it cannot be made full. */
  disk: Disk | null;
  seed: number;
  /** Between two deaths. */
  killEveryMs: number;
  /** Of the product's processes, beside what every soak sets. */
  env?: Record<string, string>;
  /** Who dies; left out: one of the product's processes. */
  kill?: (world: World) => Promise<void>;
  /** What is told while it goes on. */
  say: (line: string) => void;
}

export interface SoakReport {
  counts: ReadonlyMap<string, number>;
  growth: Growth;
  /** Empty: nothing was lost, and nothing was wrong at any time. */
  faults: readonly string[];
}

const visitors = 5;
const phones = 2;
const viewers = 3;
const second = 1_000;
/** So long a question to a silent database may hang. */
const lineMs = 10 * second;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  await using house = await startSoakHouse(options.processes, options.address, options.env);
  const world = await furnish(house, options);
  const { ledger } = world;
  const gauges = new Gauges();
  const end = Date.now() + options.minutes * 60 * second;
  const isOver = () => Date.now() > end;
  const repeat = async (act: () => Promise<void>, pauseMs: number) => {
    while (!isOver()) {
      // The tests' own line to the database breaks like everybody's, and one that lay idle is found dead later.
      await act().catch((error: unknown) => {
        if (!isDatabaseAway(error) && !ledger.isTroubled(Date.now() - lineMs))
          ledger.fault(String(error));
      });
      await pause(world.chance(pauseMs));
    }
  };
  const gates = await Promise.all(Array.from({ length: phones }, (_, nth) => openGate(world, nth)));
  const closing = new AbortController();
  const maps = Array.from({ length: viewers }, () => watchMap(world, demoEvent, closing.signal));
  await Promise.all([
    ...Array.from({ length: visitors }, () => repeat(() => visit(world), 400)),
    repeat(() => workInOffice(world), second),
    ...gates.map((gate) =>
      keepDoor(world, gate, isOver).catch((error: unknown) => ledger.fault(String(error))),
    ),
    makeTrouble(world, options, end),
    repeat(async () => {
      for (const broken of await findBroken(world, { always: true })) ledger.fault(broken);
      ledger.count('times all rules that hold at any time were looked at');
      for (const { pid } of house.processes) gauges.sample(pid);
      await pause(second);
    }, second),
    tellProgress(world, options, isOver),
  ]);
  const growth = gauges.growth();
  await heal(world);
  for (const lost of await findBrokenPromises(world)) ledger.fault(lost);
  for (const wrong of await findUnlikeMap(world)) ledger.fault(wrong);
  // What was said last is heard.
  await pause(2 * second);
  closing.abort();
  for (const picture of await Promise.all(maps))
    for (const wrong of await findUnlikePicture(world, demoEvent, picture)) ledger.fault(wrong);
  return { counts: ledger.counts, growth, faults: [...ledger.faults, ...faultsOf(growth)] };
}

/** With an administrator and an open drawer; nobody has come yet. */
export async function furnish(
  house: SoakHouse,
  { seed, say }: Pick<SoakOptions, 'seed' | 'say'>,
): Promise<World> {
  const chance = chanceOf(seed);
  const admin = await acceptFirst(house, house.invite);
  await callOk(house, openShift, { body: { till_id: 'cassa-1', float_cents: 10_000 } }, admin);
  const { event } = await callOk(house, getEvent, { params: { eventId: demoEvent } });
  const events = [demoEvent];
  const world: World = {
    house,
    ledger: new Ledger(house.url, say),
    admin,
    room: `/standins/seatsio/system/public/${event.seatsio_workspace_key}`,
    chance,
    events,
    takePair: pairTaker({ house, chance, events }, () => openEvening(world)),
  };
  return world;
}

/** A process that is alone lives the last half undisturbed, so that its memory can be measured once it is warm. */
async function makeTrouble(world: World, options: SoakOptions, end: number): Promise<void> {
  const { minutes, processes, killEveryMs, disk, kill: killSomebody = killOne } = options;
  const whole = minutes * 60 * second;
  const lastDeath = processes > 1 ? end - 5 * second : end - whole / 2;
  const every = Math.min(Math.max(whole / 6, 8 * second), 150 * second);
  const lasting = Math.min(every / 2, 60 * second);
  const ofDisk = disk ?? (options.address === null ? sqliteDisk(world) : null);
  const troubles = troublesOf(world, ofDisk);
  // Nobody starts while the disk is full.
  let isBusy = Promise.resolve();
  const inTurn = (act: () => Promise<void>) => {
    isBusy = isBusy.then(act).catch((error: unknown) => world.ledger.fault(String(error)));
    return isBusy;
  };
  const kill = async () => {
    while (Date.now() + killEveryMs < lastDeath) {
      await pause(killEveryMs);
      await inTurn(() => killSomebody(world));
    }
  };
  const trouble = async () => {
    for (let nth = 0; Date.now() + every < end - 2 * second; nth += 1) {
      await pause(every - lasting);
      const make = troubles[nth % troubles.length]!;
      if (make.name === 'fillDisk') await inTurn(() => make(lasting));
      else await make(lasting).catch((error: unknown) => world.ledger.fault(String(error)));
    }
  };
  await Promise.all([kill(), trouble()]);
}

async function tellProgress(
  { ledger }: World,
  { say }: SoakOptions,
  isOver: () => boolean,
): Promise<void> {
  const told = ['bookings', 'payments', 'scans handed in', 'processes killed'];
  for (let seconds = 1; !isOver(); seconds += 1) {
    await pause(second);
    if (seconds % 60 !== 0) continue;
    const figures = told.map((what) => `${ledger.counts.get(what) ?? 0} ${what}`);
    say(`after ${seconds / 60} min: ${figures.join(', ')}, ${ledger.faults.length} faults`);
  }
}

/** Nothing breaks any more: open orders end, what waits is done, and then every rule holds. */
export async function heal(world: World): Promise<void> {
  const { house, ledger } = world;
  let broken: string[] = [];
  for (const minutes of [20, 12]) {
    await house.advance(minutes * 60 * second);
    await house.stripe.tick();
    await until(async () => {
      broken = await findBroken(world);
      return broken.length === 0 && !(await hasOpenOrders(world));
    }, 45 * second).catch(() => {});
  }
  for (const rule of broken) ledger.fault(rule);
}

async function hasOpenOrders({ house }: World): Promise<boolean> {
  const open = await house
    .db('orders')
    .whereIn('state', ['booking', 'awaiting_payment'])
    .first('id');
  return open !== undefined;
}

/** Of a short life the figures are told and judged by nobody. */
export function faultsOf({ minutes, megabytesPerMinute, filesPerMinute }: Growth): string[] {
  if (minutes < 9) return [];
  return [
    ...(megabytesPerMinute > 1
      ? [`memory grows by ${megabytesPerMinute.toFixed(2)} MB a minute`]
      : []),
    ...(filesPerMinute > 1 ? [`open files grow by ${filesPerMinute.toFixed(2)} a minute`] : []),
  ];
}
