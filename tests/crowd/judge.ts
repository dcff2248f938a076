/**
 * Checks a waiting room after a crowd: the draw, the order, the rate, each admission once, and no
 * lost place.
 */
import { hash } from 'node:crypto';
import { invariants } from '#db/reconcile/invariants.ts';
import type { QueuePlaceRow } from '#db/rows.ts';
import { faultOfDraw } from '#server/domain/queue/draw.ts';
import { readDraw } from '#server/services/queue/draw.ts';
import { forgetRooms, queueForAll } from '#server/services/queue/rooms.ts';
import type { Crowd } from './crowd.ts';
import { eventId } from '#tests/simulation/world.ts';
import { mostOfRobots } from './robots.ts';

/** Standard deviations: chance exceeds this once in two million times. */
const sigmas = 5;

export async function judge(crowd: Crowd): Promise<void> {
  for (const error of new Set(crowd.house.logged)) crowd.wrong(`logged: ${error}`);
  const rows: QueuePlaceRow[] = await crowd.house
    .db('queue_places')
    .where({ skips: 0 })
    .orderBy('number');
  judgePlaces(crowd, rows);
  const drawn = await judgeDraw(crowd, rows);
  judgeArrivals(crowd, drawn);
  judgeRate(crowd);
  judgeRobots(crowd, drawn);
  await judgeRules(crowd);
  await judgeLetters(crowd);
  await judgeAgreement(crowd);
}

/** Numbers have no gap, each is called once and in order, and everybody was told their own. */
function judgePlaces(crowd: Crowd, rows: readonly QueuePlaceRow[]): void {
  const gap = rows.findIndex(({ number }, at) => number !== at + 1);
  if (gap !== -1) crowd.wrong(`number ${gap + 1} was given to nobody`);
  const uncalled = rows.filter(({ called_at }) => called_at === null);
  if (uncalled.length > 0)
    crowd.wrong(`${uncalled.length} numbers were passed over: ${uncalled[0]!.number}`);
  const times = rows.map(({ called_at }) => called_at ?? 0);
  if (times.some((time, at) => at > 0 && time < times[at - 1]!))
    crowd.wrong('numbers were not called in order');
  const byHash = new Map(rows.map((row) => [row.place_hash, row]));
  for (const person of crowd.people) {
    const row = byHash.get(person.place_hash);
    if (row === undefined) crowd.wrong('a place was lost');
    else if (row.number !== person.number)
      crowd.wrong(`number ${String(person.number)} is ${String(row.number)} in the end`);
    if (person.end === 'waits') crowd.wrong(`${person.kind} still waits with ${person.number}`);
    if ((row?.done_at != null) !== (person.end === 'booked'))
      crowd.wrong(`a place that ${person.end} is ${row?.done_at == null ? 'open' : 'done'}`);
  }
}

/** Repeats the draw here from the published rule alone. */
async function judgeDraw(crowd: Crowd, rows: readonly QueuePlaceRow[]): Promise<number> {
  const draw = await readDraw(crowd.house.processes[0]!, eventId);
  const fault = faultOfDraw(draw);
  if (fault !== null) crowd.wrong(`the draw is not what was promised: ${fault}`);
  if (draw.opened_at - draw.fixed_at < 2_000) crowd.wrong('the seed was open too early');
  const sha = (place: string) => hash('sha256', `${draw.seed}${draw.root}${place}`, 'base64url');
  const ranked = draw.entrants
    .map(([place]) => [sha(place), place] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (ranked.some(([, place], at) => rows[at]!.place_hash !== place))
    crowd.wrong('the numbers are not those of the draw');
  const arrival = new Map(draw.entrants.map(([place], at) => [place, at]));
  const numbers = rows
    .slice(0, ranked.length)
    .map(({ place_hash }) => arrival.get(place_hash) ?? 0);
  judgeChance(crowd, numbers);
  return ranked.length;
}

/**
 * People who came early and people who came late have the same chances (χ² over a square of both
 * orders).
 */
function judgeChance(crowd: Crowd, arrivals: readonly number[]): void {
  const n = arrivals.length;
  const side = Math.min(20, Math.floor(Math.sqrt(n / 10)));
  const cells = Array.from({ length: side * side }, () => 0);
  const cellOf = (rank: number) => Math.floor((rank * side) / n);
  for (const [rank, arrival] of arrivals.entries())
    cells[cellOf(rank) * side + cellOf(arrival)]! += 1;
  const expected = n / (side * side);
  const chi = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const freedom = (side - 1) ** 2;
  if (Math.abs(chi - freedom) > sigmas * Math.sqrt(2 * freedom))
    crowd.wrong(`the draw is not chance: χ² ${chi.toFixed(0)} with ${freedom} degrees of freedom`);
}

/** After the opening, whoever came in an earlier third of a second has the smaller number. */
function judgeArrivals(crowd: Crowd, drawn: number): void {
  const late = crowd.people
    .filter(({ number }) => number! > drawn)
    .toSorted((a, b) => a.number! - b.number!);
  if (late.some(({ entered }, at) => at > 0 && entered < late[at - 1]!.entered))
    crowd.wrong('who came later was served earlier');
}

/**
 * The rate is right within five percent in each minute, in every five minutes and overall, while
 * somebody waits.
 */
function judgeRate(crowd: Crowd): void {
  const { per_minute } = crowd.options;
  const end = crowd.sights.findIndex(({ serving, last }) => last > 0 && serving === last);
  const busy = crowd.sights.slice(0, end === -1 ? undefined : end);
  const whole = busy.at(-1)!.at - busy[0]!.at;
  for (const window of [60_000, 300_000, whole]) {
    let to = 0;
    for (const { at, serving } of busy) {
      while (to < busy.length && busy[to]!.at < at + window) to += 1;
      const last = busy[to];
      if (last === undefined) break;
      const rate = ((last.serving - serving) * 60_000) / (last.at - at);
      const off = Math.abs(rate / per_minute - 1);
      crowd.worst = Math.max(crowd.worst, off);
      if (off > 0.05)
        crowd.wrong(
          `${rate.toFixed(0)} a minute instead of ${per_minute} over ${window / 1_000} s`,
        );
    }
  }
}

/**
 * Robots get no more places than the limits allow, and each place has the same chances as any
 * other.
 */
function judgeRobots(crowd: Crowd, drawn: number): void {
  if (crowd.counts.refusedPeople > 0)
    crowd.wrong(`${crowd.counts.refusedPeople} people were refused for their network`);
  const robots = crowd.people.filter(({ isBot }) => isBot);
  const bound = mostOfRobots(crowd.gathering);
  if (robots.length > bound) crowd.wrong(`robots have ${robots.length} places of ${bound} at most`);
  const b = robots.length;
  if (b === 0) return;
  const mean = robots.reduce((sum, { number }) => sum + number!, 0) / b;
  const deviation = Math.sqrt(((drawn + 1) * (drawn - b)) / (12 * b));
  if (Math.abs(mean - (drawn + 1) / 2) > sigmas * Math.max(deviation, 1))
    crowd.wrong(`robots are called at ${mean.toFixed(0)} of ${drawn} on the average`);
}

/** Whoever asked for a mail got one, and no address is stored any more. */
async function judgeLetters(crowd: Crowd): Promise<void> {
  const { db } = crowd.house;
  const written: string[] = await db('mails').where({ kind: 'queue_near' }).pluck('key');
  const asked = crowd.people.filter(({ kind }) => kind === 'letter');
  if (
    written.toSorted().join() !==
    asked
      .map(({ place_hash }) => place_hash)
      .toSorted()
      .join()
  )
    crowd.wrong(`${written.length} mails for ${asked.length} who asked for one`);
  if ((await db('queue_places').whereNotNull('email').first()) !== undefined)
    crowd.wrong('an address was kept');
}

/** Runs the product's own invariants for waiting rooms. */
async function judgeRules(crowd: Crowd): Promise<void> {
  const { db, clock } = crowd.house;
  for (const rule of invariants.filter(({ name }) => name.startsWith('queue_')))
    for (const { subject } of await rule.find(db, clock.now))
      crowd.wrong(`${rule.name}: ${subject}`);
}

/** The living processes give the same answer, however many have died. */
async function judgeAgreement(crowd: Crowd): Promise<void> {
  const told = await Promise.all(
    crowd.house.processes.map((ctx) => {
      forgetRooms(ctx);
      return queueForAll(ctx, eventId);
    }),
  );
  if (new Set(told.map((answer) => JSON.stringify(answer))).size > 1)
    crowd.wrong('the processes do not agree');
}
