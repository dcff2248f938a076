/**
 * Kills the real process at a few writes of each action; every-write.long.ts kills it at every
 * one.
 */
import { expect, test } from 'vitest';
import { expectPeace } from './evening.ts';
import { deeds, killAtWrites, startEvening } from './every-write.ts';

test('killed at a write of a move, of one with money back, of a refund run, of each exchange and of a change of hall: all of it ends by itself, and once', async () => {
  await using evening = await startEvening(null);
  const { patron } = evening;
  const all = Object.values(deeds);
  for (const deed of all) await killAtWrites(patron, deed, { every: 5, rounds: 1 });
  expect(patron.house.deaths()).toBe(all.length);
  await expectPeace(patron);
});
