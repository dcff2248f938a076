/** What harm looks like from outside: how long until somebody can buy again. */
import { setTimeout as pause } from 'node:timers/promises';
import { begin } from './troubles.ts';
import { visit } from './visitors.ts';
import type { World } from './world.ts';

/** Until the product's processes have noticed that all is as before. */
const noticeMs = 3_000;

/**
 * Counts as `what`. Resolves when a booking that began after the harm was acknowledged, with the
 * seconds since the harm began.
 */
export async function secondsUntilSold(
  world: World,
  what: string,
  harm: () => Promise<void>,
): Promise<number> {
  const { ledger } = world;
  const trouble = begin(world);
  const began = performance.now();
  await harm();
  const bookings = () => ledger.counts.get('bookings') ?? 0;
  const before = bookings();
  while (bookings() === before) await visit(world);
  const seconds = (performance.now() - began) / 1_000;
  ledger.count(what);
  await pause(noticeMs);
  trouble.end();
  return seconds;
}
