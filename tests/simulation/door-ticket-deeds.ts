/** The actions of an evening in which tickets change, and guests come with any of their papers. */
import type { TicketRow } from '#db/rows.ts';
import { seatAt, ticketOf } from './door-hands.ts';
import type { Op } from './door-history.ts';
import { end, letGo, move, rehouse, reissueOne, rename, sell } from './door-house.ts';
import { readKnowing } from './door-knowing.ts';
import { nameOf, readName, type Code } from './door-papers.ts';
import type { World } from './door-evening.ts';
import { togetherWith } from './door-places.ts';

type Act = (world: World, op: Op) => Promise<unknown>;

/**
 * Reads the new code (mostly), then the one that it replaced, on a phone that may not know the new
 * one yet.
 */
async function readBoth(world: World, op: Op, { place, revision }: Code): Promise<void> {
  const before = { place, revision: revision - 1 };
  const isChanged =
    world.papers.has(nameOf(before)) && world.papers.has(nameOf({ place, revision }));
  if (!isChanged) return;
  if (op.how % 4 !== 3) await show(world, op, { place, revision });
  await show(world, op, before);
}

const after = ({ place, revision }: Code): Code => ({ place, revision: revision + 1 });

async function show(world: World, op: Op, code: Code): Promise<void> {
  await readKnowing(world, op, code);
}

/** A table is sold to as many guests as come, also to fewer than it seats. */
function partyAt(seat: string, how: number): string[] {
  const party = togetherWith(seat);
  return how % 4 === 3 ? party.slice(0, Math.max(1, party.length - 1)) : party;
}

async function moveParty(world: World, { place, to }: { place: string; to: string }) {
  const [from, there] = [togetherWith(place), togetherWith(to)];
  if (from.length !== there.length || there.includes(place)) return null;
  // A table moves with its whole party; a guest whose ticket has ended stays behind.
  let own: Code | null = null;
  for (const [at, one] of from.entries()) {
    const code = await move(world, { from: one, to: there[at]! });
    if (one === place) own = code;
  }
  return own;
}

export const ticketActs = {
  async scan(world, op) {
    const ticket = await ticketOf(world, op);
    if (ticket) await show(world, op, ticket);
  },
  async 'scan old code'(world, op) {
    const ticket = await ticketOf(world, op);
    if (ticket) await readBoth(world, op, ticket);
  },
  async sold(world, { what, how }) {
    const many = world.evening.tables ? 1 : 1 + (how % 3);
    const seats = Array.from({ length: many }, (_, nth) => seatAt(world, what + nth));
    const places = seats.flatMap((seat) => partyAt(seat, how));
    await sell(world, { places, holder: how % 2 === 0 ? 'Ada Neri' : null });
  },
  async ended(world, op) {
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    const state = (['refunded', 'void', 'refunded', 'unpaid'] as const)[op.how % 4]!;
    await end(world, { place: ticket.place, state });
    // The guest comes all the same, or another guest has the place now.
    if (op.how % 8 < 4) await show(world, op, ticket);
    if (op.how % 3 === 0) await sell(world, { places: togetherWith(ticket.place) });
  },
  async renamed(world, op) {
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    await rename(world, ticket.place);
    if (op.how % 2 === 0) await readBoth(world, op, after(ticket));
  },
  async reissued(world, op) {
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    await reissueOne(world, ticket.place);
    if (op.how % 2 === 0) await readBoth(world, op, after(ticket));
  },
  async moved(world, op) {
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    const { place } = ticket;
    const own = await moveParty(world, { place, to: seatAt(world, op.what + 1 + (op.how % 7)) });
    if (!own) return;
    // Some move again at once.
    const on = op.how % 3 === 0 ? seatAt(world, op.what + 2 + (op.how % 5)) : null;
    const last =
      on === null ? own : ((await moveParty(world, { place: own.place, to: on })) ?? own);
    if (op.how % 4 !== 3) await show(world, op, ticket);
    if (op.how % 2 === 0) await show(world, op, last);
  },
  rehoused: (world, { how }) => rehouse(world, 1 + (how % 3)),
  async 'let go'(world, op) {
    // The time after which a free place is kept no longer.
    if (world.evening.keeps && op.how % 2 === 0) await world.pass(61_000, true);
    const gone = await letGo(world);
    // Another guest comes for one of them.
    const place = gone[op.what % Math.max(1, gone.length)];
    if (place === undefined || op.how % 3 === 2) return;
    await sell(world, { places: togetherWith(place) });
    world.count('let go and given');
  },
  /** A guest comes with any paper that the ticket ever had. */
  async 'any paper'(world, op) {
    const tickets = await world.house.ctx
      .db<TicketRow>('tickets')
      .where({ event_id: world.event_id })
      .orderBy('id')
      .pluck('id');
    const id = tickets[op.what % Math.max(1, tickets.length)];
    const own = [...world.papers].filter(([, { ticket_id }]) => ticket_id === id);
    const old = own.length > 1 ? own.slice(0, -1) : own;
    const code = (op.how % 3 === 0 ? own : old)[op.how % (op.how % 3 === 0 ? own : old).length];
    if (code) await show(world, op, readName(code[0]));
  },
} satisfies Record<string, Act>;
