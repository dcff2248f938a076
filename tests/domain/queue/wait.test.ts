/** What a waiting person is told holds: rooms of many paces are played, and the turn comes between the two minutes that were named. */
import { expect, test } from 'vitest';
import {
  sayWait,
  toldWait,
  waitBounds,
  withSighting,
  type Sighting,
  type ToldWait,
} from '#server/domain/queue/wait.ts';

const secondMs = 1_000;

/** A room whose pace `next` changes every ten seconds; the counter after each second. */
function playRoom(perMinute: number, next: (pace: number, step: number) => number) {
  const room: { pace: number; serving: number }[] = [];
  let pace = perMinute;
  let serving = 0;
  for (let second = 0; second < 7_200; second += 1) {
    if (second % 10 === 0) pace = next(pace, second / 10);
    serving += pace / 60;
    room.push({ pace, serving: Math.floor(serving) });
  }
  return room;
}

/** How often the turn came within what was said, asked every 20 seconds by people in many places. */
function shareKept(room: ReturnType<typeof playRoom>): number {
  let [kept, asked] = [0, 0];
  let seen: Sighting[] = [];
  for (let second = 0; second < 1_800; second += 5) {
    const { pace, serving } = room[second]!;
    seen = withSighting(seen, { at: second * secondMs, serving });
    if (second % 20 !== 0) continue;
    for (const ahead of [5, 20, 100, 400, 1_500]) {
      const turn = room.findIndex((then) => then.serving >= serving + ahead);
      if (turn < 0) continue;
      const { from, to } = waitBounds(ahead, Math.round(pace), seen)!;
      const minutes = (turn - second) / 60;
      asked += 1;
      if (minutes >= from && minutes <= to) kept += 1;
    }
  }
  return kept / asked;
}

const dice = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

for (const perMinute of [6, 30, 60, 400])
  test(`at a fixed ${perMinute} a minute every turn comes between the two minutes`, () => {
    expect(shareKept(playRoom(perMinute, (pace) => pace))).toBe(1);
  });

test('at a measured pace, which grows slowly and halves under load, nine of ten turns do', () => {
  for (const seed of [11, 2026, 77_123]) {
    const roll = dice(seed);
    const room = playRoom(60, (pace) => (roll() < 0.08 ? Math.max(10, pace / 2) : pace + 2));
    expect(shareKept(room)).toBeGreaterThan(0.9);
  }
});

test('a fixed pace is told narrowly once it has been seen, and widely before', () => {
  expect(waitBounds(300, 60)).toEqual({ from: 3, to: 8 });
  const seen = [0, 20, 40, 60].map((s) => ({ at: s * secondMs, serving: s }));
  expect(waitBounds(300, 60, seen)).toEqual({ from: 4, to: 7 });
});

test('where nothing moves nobody is told a time', () => {
  expect(waitBounds(300, 0)).toBeNull();
});

test('sightings of long ago are forgotten, and one that does not move on in time is not kept twice', () => {
  const seen = withSighting(
    [
      { at: 0, serving: 1 },
      { at: 500_000, serving: 9 },
    ],
    {
      at: 700_000,
      serving: 12,
    },
  );
  expect(seen).toEqual([
    { at: 500_000, serving: 9 },
    { at: 700_000, serving: 12 },
  ]);
  expect(withSighting(seen, { at: 700_000, serving: 12 })).toEqual(seen);
});

test('a wait is said in words that a person can plan with', () => {
  const said = ([from, to]: [number, number]) => sayWait({ from, to });
  expect(
    (
      [
        [0, 1],
        [0, 3],
        [4, 7],
        [50, 80],
        [61, 125],
        [125, 200],
      ] as [number, number][]
    ).map(said),
  ).toEqual([
    'meno di un minuto',
    'meno di 3 minuti',
    'tra 4 e 7 minuti',
    'tra 50 minuti e un’ora e 20 minuti',
    'tra un’ora e 2 ore e 10 minuti',
    'più di 2 ore',
  ]);
});

test('in a room that moves in steps what is said never grows while it may still be true', () => {
  let seen: Sighting[] = [];
  let told: ToldWait | null = null;
  const said: number[] = [];
  const grown: number[] = [];
  for (let second = 0; second < 420; second += 5) {
    // A hundred at once every hundred seconds: one a second.
    const serving = Math.floor(second / 100) * 100;
    const now = second * secondMs;
    seen = withSighting(seen, { at: now, serving });
    const next = waitBounds(500 - serving, 60, seen)!;
    told = toldWait(told, next, now);
    said.push(told!.wait.to);
    grown.push(next.to);
  }
  const grows = (all: number[]) => all.some((to, at) => to > (all[at - 1] ?? to));
  expect([grows(grown), grows(said)]).toEqual([true, false]);
  // A promise that time has disproved is made anew; without an estimate nothing is said.
  const first = { at: 0, wait: { from: 1, to: 2 } };
  expect(toldWait(first, { from: 4, to: 7 }, 119_999)).toEqual(first);
  expect(toldWait(first, { from: 4, to: 7 }, 120_000)?.wait.to).toBe(7);
  expect(toldWait(first, null, 1)).toBeNull();
});
