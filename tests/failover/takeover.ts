/** What a death of the database looks like from outside: how long until somebody can buy again. */
import { setTimeout as pause } from 'node:timers/promises';
import { begin } from '#tests/soak/troubles.ts';
import { visit } from '#tests/soak/visitors.ts';
import type { World } from '#tests/soak/world.ts';

/** Until the product's processes have noticed that all is as before. */
const noticeMs = 3_000;

/** Whatever `die` does: resolves when a booking that began after it was acknowledged, with the seconds that it took. */
export async function timeDeath(world: World, die: () => Promise<void>): Promise<number> {
  const { ledger } = world;
  const trouble = begin(world);
  const began = performance.now();
  await die();
  const bookings = () => ledger.counts.get('bookings') ?? 0;
  const before = bookings();
  while (bookings() === before) await visit(world);
  const seconds = (performance.now() - began) / 1_000;
  ledger.count('leaders killed');
  await pause(noticeMs);
  trouble.end();
  return seconds;
}
