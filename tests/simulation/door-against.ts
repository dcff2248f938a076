/**
 * Checks that a guest who is inside without a valid ticket is reported to a person, and that the
 * seat is kept.
 */
import type { AdmissionRow, OrderLineRow, TicketRow } from '#db/rows.ts';
import { findEvent } from '#db/event/events.ts';
import { isCarried } from '#server/domain/door/carried.ts';
import { guestOf, insideBy, passedOnServer } from './door-papers.ts';
import type { World } from './door-evening.ts';

/** The scans that the house wrote say nothing that those of people do not (RULES M5). */
export async function checkCarried(world: World): Promise<void> {
  const scans = await passedOnServer(world);
  const guestsIn = (some: readonly AdmissionRow[]) => [...insideBy(world, some).keys()].sort();
  const [told, seen] = [guestsIn(scans), guestsIn(scans.filter((scan) => !isCarried(scan)))];
  if (told.join() !== seen.join())
    world.wrong(
      `inside by all scans are ${told.join(', ')}, by those of people ${seen.join(', ')}`,
    );
}

export async function checkAgainst(world: World): Promise<void> {
  const { house, event_id, wrong } = world;
  const { db } = house.ctx;
  // A cancelled event keeps no seats.
  if ((await findEvent(db, event_id))!.status === 'cancelled') return;
  const scans = await passedOnServer(world);
  const tickets = await db<TicketRow>('tickets').where({ event_id });
  const lines = await db<OrderLineRow>('order_lines').where({ event_id, released_at: null });
  const inside = insideBy(world, scans);
  for (const { id, place, state, let_go_at } of tickets) {
    const isEnded = state === 'refunded' || state === 'void';
    if (!inside.has(id) || (!isEnded && let_go_at === null)) continue;
    world.count('inside against the book');
    const entries = scans.filter(
      (scan: AdmissionRow) => scan.direction === 'in' && guestOf(world, scan) === id,
    );
    const isTold = entries.some(
      ({ against, conflict_with }) => against !== null || conflict_with !== null,
    );
    if (isEnded && !isTold)
      wrong(`the guest of ${place} is inside with a ${state} ticket, and nobody is told`);
    // The card of a conflict names both guests of the place, and keeps it for neither.
    const isConflict = entries.every(({ conflict_with }) => conflict_with !== null);
    const isKept = lines.some((line) => line.place === place);
    if (inside.get(id) === place && !isKept && !isConflict)
      wrong(`the guest of ${place} is inside with a ${state} ticket, and the seat is on sale`);
  }
}
