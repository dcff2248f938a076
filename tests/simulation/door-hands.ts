/**
 * What people do at a door: a person takes a phone, a guest shows a code, a doorman sees a verdict.
 */
import { findEvent } from '#db/event/events.ts';
import type { TicketRow } from '#db/rows.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import type { Op } from './door-history.ts';
import type { Code } from './door-papers.ts';
import type { PhoneInPlay, Tab, World } from './door-evening.ts';
import { seatsOf } from './door-places.ts';
import { inShort } from './hunt.ts';

export function phoneOf({ phones, evening }: World, { who }: Op): PhoneInPlay {
  return phones[who % evening.phones]!;
}

/** The phone that a person takes; if its app has died, it is opened again. */
export async function tabOf(world: World, op: Op): Promise<Tab> {
  const phone = phoneOf(world, op);
  if (phone.tabs.length === 0) await world.openTab(phone);
  return phone.tabs[op.how % phone.tabs.length]!;
}

/** The newest ticket of a place that has one, with its code. */
export async function ticketOf({ house, event_id }: World, { what }: Op): Promise<Code | null> {
  const tickets = await house.ctx
    .db<TicketRow>('tickets')
    .where({ event_id })
    .orderBy(['place', 'revision'])
    .select('place', 'revision');
  const newest = [...new Map(tickets.map((ticket) => [ticket.place, ticket])).values()];
  return newest[what % Math.max(1, newest.length)] ?? null;
}

export async function codeAt(
  { house, event_id }: World,
  { place, revision }: Code,
): Promise<string> {
  const event = (await findEvent(house.ctx.db, event_id))!;
  return codeOf(event, { place, revision, earlier_codes: 0 });
}

/** A guest shows a code, and the doorman sees a verdict. */
export async function read(world: World, op: Op, text: string): Promise<void> {
  const tab = await tabOf(world, op);
  const { event_id } = world;
  const override = op.how === 15 ? 'lo conosco' : null;
  const recognised = await tab.core.recognise(event_id, text);
  if (op.how % 8 === 7 && recognised.reading.kind === 'place' && op.faults.length > 0)
    world.loose.add(recognised.reading.place);
  await show(world, op, {
    tab,
    scan: async () => [
      await tab.core.admit({
        event_id,
        recognised,
        direction: op.how % 8 === 7 ? 'out' : 'in',
        override,
        means: 'code',
        note: null,
      }),
    ],
  });
}

export async function show(
  world: World,
  op: Op,
  { tab, scan }: { tab: Tab; scan: () => Promise<Shown[]> },
): Promise<void> {
  const phone = phoneOf(world, op);
  let shown: Shown[];
  try {
    shown = await scan();
  } catch (error) {
    // The doorman sees that the scan was not stored and reads again; without a known reason it is
    // our fault.
    const isKnown =
      tab.life.dead ||
      op.faults.some(({ where }) => where === 'store') ||
      /no list/.test(String(error));
    if (!isKnown) world.wrong(`${tab.life.name} could not keep a scan: ${inShort(error)}`);
    world.count('scan not kept');
    return;
  }
  // A phone that dies at this moment has shown no verdict.
  if (tab.life.dead) return;
  for (const { admission_id, verdict, counts, overridden, direction, place } of shown) {
    world.seen.push({
      admission_id,
      phone,
      place: place?.place ?? null,
      revision: place?.revision ?? null,
      direction,
      verdict,
      counts,
      overridden,
      annuls: null,
      lost: false,
      poisoned: false,
      true_at: phone.wasSet ? null : world.now(),
    });
    world.count(`verdict ${verdict}${counts ? ' counts' : ''}`);
    world.tell(
      `${tab.life.name}: ${verdict} ${direction} ${place?.place ?? '-'}/${place?.revision ?? '-'} ${admission_id.slice(0, 6)}`,
    );
  }
  tab.core.syncSoon();
}

export function seatAt(world: World, nth: number): string {
  const seats = seatsOf(world);
  return seats[nth % seats.length]!;
}
