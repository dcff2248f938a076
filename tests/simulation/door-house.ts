/**
 * What the house does with the tickets of an evening; `papers` notes each code that it gives out
 * and why it ended.
 */
import { transact } from '#db/engine/transact.ts';
import { findEvent, nextAtDoor } from '#db/event/events.ts';
import { letTicketsGo, ordersToLetGo } from '#db/order/kept-tickets.ts';
import { insertTicketMoves } from '#db/order/moves.ts';
import { listPriced } from '#db/order/orders.ts';
import { endTickets } from '#db/order/tickets.ts';
import type { OrderLineRow, TicketRow } from '#db/rows.ts';
import { endCodes } from '#db/seat/ended-codes.ts';
import { dropParking, issueTickets, parkTickets, placeTickets } from '#db/seat/rehousings.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { minutesKept, minutesLeft } from '#server/domain/door/kept.ts';
import { reissue } from '#server/services/counter/paper.ts';
import { noteAgainst } from '#server/services/payment/against.ts';
import { passToGuests } from '#server/services/payment/guest-places.ts';
import { placesOfGuests } from '#server/services/payment/ended-tickets.ts';
import { endLetGo } from '#server/services/payment/let-go.ts';
import {
  changeEvent,
  moveTicket,
  newEpoch,
  renameTicket,
  sellPlaces,
} from '#tests/shared/door-hall.ts';
import { guestOf, insideNow, nameOf, passedOnServer, readName, type Code } from './door-papers.ts';
import type { World, Why } from './door-evening.ts';
import { togetherWith } from './door-places.ts';

type HouseWorld = Pick<World, 'house' | 'event_id' | 'papers' | 'count'>;

/** Notes the codes that an act has made. */
async function note({ house, event_id, papers }: HouseWorld, why: Why | null): Promise<void> {
  const tickets = await house.ctx.db<TicketRow>('tickets').where({ event_id });
  const last = new Map<string, string>();
  for (const [code, { ticket_id, end }] of papers) if (end === null) last.set(ticket_id, code);
  for (const ticket of tickets) {
    const code = nameOf(ticket);
    const before = last.get(ticket.id);
    if (before === code) continue;
    if (before !== undefined) papers.get(before)!.end = { why: why!, next: code };
    papers.set(code, { ticket_id: ticket.id, end: null });
  }
}

function lineOf({ id, order_id, event_id, place, ticket_type, type_label }: TicketRow) {
  const party = togetherWith(place);
  return {
    id,
    order_id,
    event_id,
    place,
    object_label: place.split('#')[0]!,
    category: 'Platea',
    ticket_type,
    type_label,
    price_id: '',
    price_cents: 0,
    released_at: null,
    offered_at: null,
    fee_cents: 0,
    left_hall: 0 as const,
    booked_type: null,
    ...listPriced,
    whole_size: party.length > 1 ? party.length : 0,
  };
}

/** The lines on these places, also of ended tickets whose guest keeps the place (RULES A15). */
async function linesOn({ house, event_id }: HouseWorld, places: readonly string[]) {
  return house.ctx
    .db('order_lines as l')
    .join('tickets as t', 't.id', 'l.id')
    .where('l.event_id', event_id)
    .whereIn('l.place', places as string[])
    .whereNull('l.released_at')
    .select<{ id: string; place: string; state: TicketRow['state'] }[]>(
      'l.id',
      'l.place',
      't.state',
    );
}

/**
 * Sells the places to another guest and ends their tickets; keeps a place for a guest inside until
 * a person has decided.
 */
export async function sell(
  world: HouseWorld,
  { places, holder = null }: { places: readonly string[]; holder?: string | null },
): Promise<void> {
  const { house, event_id } = world;
  const { ctx } = house;
  const taken = await linesOn(world, places.flatMap(togetherWith));
  if (taken.some(({ state }) => state === 'void' || state === 'refunded')) {
    world.count('kept back');
    return;
  }
  const event = (await findEvent(ctx.db, event_id))!;
  for (const { place } of taken) await end(world, { place, state: 'void' });
  if ((await linesOn(world, places.flatMap(togetherWith))).length > 0) return;
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, event_id);
    await endLetGo(ctx, trx, { event, feed_seq }, places);
  });
  const tickets = await sellPlaces(ctx, event_id, { places, holder });
  const ids = tickets.map(({ id }) => id);
  const let_go_minutes = minutesKept(event, ctx.now());
  await ctx.db<TicketRow>('tickets').whereIn('id', ids).update({ let_go_minutes });
  await ctx
    .db<OrderLineRow>('order_lines')
    .insert(tickets.map((ticket, position) => ({ ...lineOf(ticket), position })));
  await note(world, null);
}

/** The ticket of a place is refunded, ended without money, or not paid. */
export async function end(
  { house, event_id, count }: HouseWorld,
  { place, state }: Pick<TicketRow, 'place' | 'state'>,
): Promise<void> {
  const { ctx } = house;
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, event_id);
    const ticket = await trx<TicketRow>('tickets')
      .where({ event_id, place })
      .whereIn('state', ['valid', 'unpaid'])
      .first();
    if (!ticket) return;
    const { id, order_id } = ticket;
    if (state === 'unpaid') await trx<TicketRow>('tickets').where({ id }).update({ state });
    else {
      const released_at = ctx.now();
      await trx<OrderLineRow>('order_lines').where({ id }).update({ released_at });
      await endTickets(trx, order_id, { places: [place], state, ended_at: released_at });
      const places = await placesOfGuests(trx, event_id, [ticket]);
      await noteAgainst(ctx, trx, { event_id, places });
      await passToGuests(ctx, trx, { event_id, order_id });
    }
    await touchPlaces(trx, event_id, { places: [place], feed_seq });
    count(`ticket ${state}`);
  });
}

/** Gives a ticket another holder; it must not have been used yet. */
export async function rename(world: World, place: string): Promise<void> {
  const { house, event_id } = world;
  const { db } = house.ctx;
  const ticket = await db<TicketRow>('tickets').where({ event_id, place, state: 'valid' }).first();
  const used = (await passedOnServer(world)).map((scan) => guestOf(world, scan));
  if (!ticket || used.includes(ticket.id)) return;
  await renameTicket(house.ctx, event_id, { place, holder: 'Bea Rossi' });
  world.count('renamed');
  await note(world, 'renamed');
}

/** The till prints a new code for a lost paper, also for a guest who is inside. */
export async function reissueOne(world: World, place: string): Promise<void> {
  const { house, event_id, loose } = world;
  const { ctx } = house;
  const ticket = await ctx
    .db<TicketRow>('tickets')
    .where({ event_id, place, state: 'valid' })
    .first();
  if (!ticket) return;
  const { id, order_id } = ticket;
  const seller = { id: 'desk', role: 'admin' } as const;
  await reissue(ctx, seller, { order_id, ticket_ids: [id], reason: 'carta persa' });
  // A guest who is inside now counts under the new code.
  loose.add(place);
  world.count('reissued');
  await note(world, 'reissued');
}

/** Returns the new code; null: nothing moved. */
export async function move(world: World, wish: { from: string; to: string }): Promise<Code | null> {
  const { house, event_id, loose, papers } = world;
  const { ctx } = house;
  if ((await linesOn(world, [wish.to])).length > 0) return null;
  const ticket = await ctx
    .db<TicketRow>('tickets')
    .where({ event_id, place: wish.from, state: 'valid' })
    .first();
  if (!ticket || ticket.let_go_at !== null) return null;
  const { order_id } = ticket;
  // The product moves no ticket to a place on which the same order has an ended ticket.
  const place_of_before = { event_id, order_id, place: wish.to };
  if (await ctx.db<TicketRow>('tickets').where(place_of_before).first('id')) return null;
  if (!(await moveTicket(ctx, event_id, wish))) return null;
  const object_label = wish.to.split('#')[0]!;
  await ctx
    .db<OrderLineRow>('order_lines')
    .where({ id: ticket.id })
    .update({ place: wish.to, object_label });
  await transact(ctx.db, (trx) => passToGuests(ctx, trx, { event_id, order_id }));
  await note(world, 'moved');
  // The move takes a guest out of the old place and into the new one.
  loose.add(wish.from).add(wish.to);
  world.count('moved');
  return readName([...papers].findLast(([, paper]) => paper.ticket_id === ticket.id)![0]);
}

/** The event gets another hall, in which every guest sits elsewhere; not once a guest is inside. */
export async function rehouse(world: World, by: number): Promise<void> {
  const { house, event_id, papers, loose } = world;
  const { ctx } = house;
  if ((await insideNow(world)).size > 0) return;
  const now = ctx.now();
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, event_id);
    const tickets = await trx<TicketRow>('tickets')
      .where({ event_id, state: 'valid', let_go_at: null })
      .orderBy('place');
    if (tickets.length === 0) return;
    const places = tickets.map(({ place }) => place);
    const goals = places.map((_, nth) => places[(nth + by) % places.length]!);
    // The product's plan gives no guest a place on which the same order has an ended ticket.
    const ended = await trx<TicketRow>('tickets').where({ event_id }).whereNot({ state: 'valid' });
    const banned = new Set(ended.map(({ order_id, place }) => `${order_id}|${place}`));
    if (tickets.some(({ order_id }, nth) => banned.has(`${order_id}|${goals[nth]!}`))) return;
    await endCodes(trx, event_id, { places, why: 'moved', now, feed_seq });
    await parkTickets(
      trx,
      event_id,
      tickets.map(({ id, order_id }) => ({ id, order_id, ticket_id: id })),
    );
    const more = new Map(places.map((place) => [place, 2]));
    const revisions = await issueTickets(trx, { event_id, feed_seq }, more);
    const arrived = tickets.map((ticket, nth) => {
      const place = goals[nth]!;
      const code = { place, revision: revisions.get(place)! };
      return {
        line: lineOf({ ...ticket, ...code }),
        ticket: { ...code, id: ticket.id, price_cents: 0, code_end: null },
      };
    });
    await placeTickets(trx, arrived);
    await dropParking(trx, event_id);
    await insertTicketMoves(
      trx,
      tickets.map((ticket, nth) => hopOf(ctx, ticket, arrived[nth]!.ticket)),
    );
  });
  await changeEvent(ctx, event_id, { feed_epoch: newEpoch() });
  await note(world, 'moved');
  for (const code of papers.keys()) loose.add(readName(code).place);
  world.count('rehoused');
}

function hopOf({ now, newId }: World['house']['ctx'], ticket: TicketRow, to: Code) {
  const move_id = newId();
  const { order_id, event_id, id: ticket_id } = ticket;
  return {
    move: {
      id: move_id,
      order_id,
      event_id,
      state: 'done' as const,
      actor: 'user:trial' as const,
      keep_reason: null,
      difference_cents: 0,
      difference_end: 'none' as const,
      refund_id: null,
      partner_id: null,
      of_rehousing: null,
      created_at: now(),
      moved_at: now(),
    },
    tickets: [
      {
        move_id,
        ticket_id,
        event_id,
        position: 0,
        from_place: ticket.place,
        from_object: ticket.place,
        from_revision: ticket.revision,
        to_object: to.place,
        to_place: to.place,
        to_revision: to.revision,
      },
    ],
  };
}

/**
 * Lets go of the places whose time is over and whose guests have not come (RULES O21). Returns
 * them.
 */
export async function letGo(world: World): Promise<string[]> {
  const { house, event_id } = world;
  const { ctx } = house;
  const now = ctx.now();
  const minutes = minutesLeft((await findEvent(ctx.db, event_id))!, now);
  if (minutes === null) return [];
  const let_go: string[] = [];
  for (const order_id of await ordersToLetGo(ctx.db, { event_id, minutes }))
    await transact(ctx.db, async (trx) => {
      const { feed_seq } = await nextAtDoor(trx, event_id);
      const gone = await letTicketsGo(trx, { order_id, minutes, now });
      const places = gone.map(({ place }) => place);
      if (gone.length > 0) await touchPlaces(trx, event_id, { places, feed_seq });
      await passToGuests(ctx, trx, { event_id, order_id });
      let_go.push(...places);
      for (const _ of gone) world.count('let go');
    });
  return let_go;
}
