/**
 * Checks that a phone that has received everything gives each code the right verdict at its first
 * reading.
 */
import { findEvent } from '#db/event/events.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { codeAt, phoneOf, read } from './door-hands.ts';
import type { Op } from './door-history.ts';
import { nameOf, oughtToSay, truthNow, type Code, type Passed } from './door-papers.ts';
import type { PhoneInPlay, Seen, World } from './door-evening.ts';

/** The position of a phone that has all that the server knows; null: it lacks something. */
async function heardBy(world: World, phone: PhoneInPlay): Promise<number | null> {
  const { house, event_id } = world;
  const stored = await phone.tabs[0]?.core.db.events.get(event_id).catch(() => undefined);
  const { feed_epoch, feed_seq } = (await findEvent(house.ctx.db, event_id))!;
  const [epoch, seq] = stored?.cursor?.split('.') ?? [];
  return epoch === feed_epoch && Number(seq) === feed_seq ? feed_seq : null;
}

/** The scans that only this phone knows, because the server lacks them or cannot read them. */
export async function ownScans(
  { house, event_id }: World,
  { tabs: [tab] }: PhoneInPlay,
): Promise<{ made: Passed[]; undone: Set<string> }> {
  const queue = (await tab?.core.db.queue.toArray().catch(() => [])) ?? [];
  const ids = queue.map(({ admission_id }) => admission_id);
  const arrived = new Set(
    await house.ctx
      .db<AdmissionRow>('admissions')
      .where({ event_id })
      .whereIn('id', ids)
      .pluck('id'),
  );
  const made = queue
    .filter(
      ({ counts, place, admission_id }) => counts && place !== null && !arrived.has(admission_id),
    )
    .map((scan) => ({ ...scan, id: scan.admission_id }));
  return { made, undone: new Set(queue.flatMap(({ annuls }) => annuls ?? [])) };
}

export async function readKnowing(world: World, op: Op, code: Code): Promise<void> {
  const { seen } = world;
  const phone = phoneOf(world, op);
  const before = await heardBy(world, phone);
  const truth = before === null ? null : await truthNow(world, await ownScans(world, phone));
  const count = seen.length;
  await read(world, op, await codeAt(world, code));
  const shown = seen[count];
  if (!truth || !shown || seen.length !== count + 1 || shown.direction === 'out') return;
  if ((await heardBy(world, phone)) !== before) return;
  const ought = oughtToSay(truth, nameOf(code), phone);
  world.count('heard reading');
  if (ought === null || isAsItOught(shown, ought)) return;
  world.wrong(
    `${phone.name} has heard everything and says ${shown.verdict} at ${shown.place}/${shown.revision} of ${nameOf(code)}, which is ${ought.verdict} at ${nameOf(ought.at)}`,
  );
}

function isAsItOught(
  { verdict, overridden, place, revision }: Seen,
  ought: { verdict: string; at: Code },
): boolean {
  // A code that leads to no ticket may be shown at the place it names, or at its ticket's place.
  if (verdict === 'replaced') return ought.verdict === 'replaced';
  if (place !== ought.at.place || revision !== ought.at.revision) return false;
  if (overridden) return !['replaced', 'refunded', 'cancelled'].includes(ought.verdict);
  return verdict === ought.verdict || (verdict === 'just_read' && ought.verdict === 'already_in');
}
