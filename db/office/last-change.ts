/** A mark that changes with what a backup is for: orders, acts of people, and the door. */
import type { Db } from '#db/engine/dialect.ts';

/**
 * Costs three short reads. What the program writes for itself, such as a process's sign of life,
 * does not change it.
 */
export async function markOfChange(db: Db): Promise<string> {
  const times = await Promise.all([
    db('audit').max('at as last').first(),
    db('orders').max('created_at as last').first(),
    db('events').sum('feed_seq as last').first(),
  ]);
  return times.map((row) => Number(row?.['last'] ?? 0)).join(' ');
}
