/** A hall for trials of the door: an event with places and tickets in real rows, without a buyer's whole way there. */
import { randomBytes } from 'node:crypto';
import type { EventRow, TicketRow } from '#db/rows.ts';
import { nextAtDoor, updateEvent } from '#db/event/events.ts';
import { issueRevision, touchPlaces } from '#db/seat/seats.ts';
import { insertTicketMove } from '#db/order/moves.ts';
import { insertTickets } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import type { TicketState } from '#server/domain/door/admission.ts';
import { bareEvent } from '#server/domain/event/event.ts';
import type { PhoneRole } from '#server/domain/door/phone.ts';
import type { Ctx } from '#server/services/context.ts';
import { newLinkKey } from '#server/services/order/order-link.ts';
import { addEvent } from '#server/services/event/events.ts';
import { movedWords } from '#server/domain/door/carried.ts';
import { standingOfTicket } from '#server/services/door/standing.ts';
import { carryOver } from '#server/services/move/passages.ts';
import { makePhone, pairPhone } from '#server/services/door/phones.ts';
import { newCodes } from '#server/services/order/tickets.ts';

/** Each has its gate; null: any. `chairs`: of a table that is sold whole. */
interface HallPlace {
  label: string;
  gate: string | null;
  chairs?: number;
}

const hourMs = 3_600_000;

/** A published event with these places, its evening half an hour from now. */
export async function addHall(
  ctx: Ctx,
  {
    id,
    places,
    ...changes
  }: { id: string; places: readonly HallPlace[] } & Partial<Omit<EventRow, 'id'>>,
): Promise<void> {
  const category = (gate: string | null) => gate ?? 'Platea';
  const seat_pricing = [...new Set(places.map(({ gate }) => gate))].map((gate) => ({
    category: category(gate),
    ticketTypes: [],
    ...(gate === null ? {} : { gate }),
  }));
  const objects = places.map(({ label, gate, chairs = 0 }) => ({
    label,
    kind: chairs > 0 ? ('table' as const) : ('seat' as const),
    category_key: category(gate),
    category: category(gate),
    section: category(gate),
    row: label.slice(0, 1),
    seat: label.slice(1),
    places: 1,
    status: 'free',
    for_sale: true,
    hold_token: null,
    held: {},
    order_id: null,
    channel: null,
    left: null,
    right: null,
    accessible: false,
    companion: false,
    restricted_view: false,
    entrance: null,
    at_table: null,
    drawn_whole: chairs,
  }));
  const now = ctx.now();
  await addEvent(
    { ...ctx, seats: { ...ctx.seats, objects: async () => objects } },
    {
      ...bareEvent,
      id,
      title: `Serata ${id}`,
      starts_at: now + hourMs / 2,
      status: 'published',
      venue_title: 'Teatro',
      seatsio_event_key: id,
      seat_pricing: JSON.stringify(seat_pricing),
      ...newCodes(ctx),
      feed_epoch: newEpoch(),
      created_at: now,
      refund_request: 'automatic',
      ...changes,
    },
  );
}

/** As the office's saves that make every phone download its list anew. */
export function newEpoch(): string {
  return randomBytes(8).toString('hex');
}

/** A ticket for each place, in one order, as a confirmed purchase leaves them: whatever stood there before is void. */
export async function sellPlaces(
  ctx: Ctx,
  event_id: string,
  {
    places,
    state = 'valid',
    holder = null,
    issued_at = ctx.now(),
  }: {
    places: readonly string[];
    state?: TicketState;
    holder?: string | null;
    issued_at?: number;
  },
): Promise<TicketRow[]> {
  return transact(ctx.db, async (trx) => {
    const { feed_seq, reentry } = await nextAtDoor(trx, event_id);
    const order = newOrder(ctx, event_id);
    await trx('orders').insert(order);
    await trx<TicketRow>('tickets')
      .where({ event_id })
      .whereIn('place', places as string[])
      .where({ state: 'valid' })
      .update({ state: 'void', ended_at: ctx.now() });
    const tickets: TicketRow[] = [];
    for (const place of places) {
      const issuing = { feed_seq, why: 'resold', now: ctx.now() } as const;
      const revision = await issueRevision(trx, event_id, place, issuing);
      tickets.push({
        id: ctx.newId(),
        order_id: order.id,
        event_id,
        place,
        revision,
        state,
        ticket_type: 'intero',
        type_label: 'Intero',
        price_cents: 0,
        holder,
        holder_email: null,
        test_money: 0,
        let_go_minutes: null,
        let_go_at: null,
        handed_link: null,
        door_note: null,
        holder_changes: 0,
        reentry,
        printed_revision: null,
        code_end: null,
        issued_at,
        ended_at: null,
      });
    }
    await insertTickets(trx, tickets);
    return tickets;
  });
}

function newOrder(ctx: Ctx, event_id: string) {
  const id = ctx.newId();
  return {
    id,
    number: randomBytes(5).toString('hex').slice(0, 9).toUpperCase(),
    link_key: newLinkKey(),
    event_id,
    state: 'confirmed',
    hold_token: id,
    selection: '[]',
    total_cents: 0,
    created_at: ctx.now(),
    pay_by: ctx.now(),
    confirmed_at: ctx.now(),
    idempotency_key: id,
    search_text: '',
    paid_by: 'free',
  } as const;
}

/** As refunds, voids and unpaid bills do it: the newest ticket of the place has another state, and the door hears of it. */
export async function changeTicket(
  ctx: Ctx,
  event_id: string,
  { place, state }: { place: string; state: TicketState },
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, event_id);
    const ticket = await trx<TicketRow>('tickets')
      .where({ event_id, place })
      .orderBy('revision', 'desc')
      .first('id');
    // It may have moved away meanwhile.
    if (!ticket) return;
    await trx<TicketRow>('tickets')
      .where({ id: ticket.id })
      .update({ state, ended_at: state === 'valid' ? null : ctx.now() });
    await touchPlaces(trx, event_id, { places: [place], feed_seq });
  });
}

/** As a change of holder does it: the same ticket, one revision further. */
export async function renameTicket(
  ctx: Ctx,
  event_id: string,
  { place, holder }: { place: string; holder: string },
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, event_id);
    const ticket = await trx<TicketRow>('tickets')
      .where({ event_id, place, state: 'valid' })
      .first('id');
    if (!ticket) return;
    await trx<TicketRow>('tickets')
      .where({ id: ticket.id })
      .update({
        holder,
        revision: await issueRevision(trx, event_id, place, {
          feed_seq,
          why: 'renamed',
          now: ctx.now(),
        }),
      });
  });
}

/** As the office's move does it: the ticket with the next revision of its new place, a guest who is in goes along. False: nothing moves. */
export async function moveTicket(
  ctx: Ctx,
  event_id: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, event_id);
    const good = { event_id, state: 'valid' as const };
    const ticket = await trx<TicketRow>('tickets')
      .where({ ...good, place: from })
      .first();
    const taken = await trx<TicketRow>('tickets')
      .where({ event_id, place: to })
      .whereNot('state', 'void')
      .first('id');
    if (!ticket || taken) return false;
    const { id: ticket_id, order_id, revision: from_revision } = ticket;
    const { last } = await standingOfTicket(trx, ticket);
    const now = ctx.now();
    await issueRevision(trx, event_id, from, { feed_seq, why: 'moved', now });
    const revision = await issueRevision(trx, event_id, to, { feed_seq, why: 'resold', now });
    const move_id = ctx.newId();
    await insertTicketMove(
      trx,
      {
        id: move_id,
        order_id,
        event_id,
        state: 'done',
        actor: 'user:trial',
        keep_reason: null,
        difference_cents: 0,
        difference_end: 'none',
        refund_id: null,
        partner_id: null,
        of_rehousing: null,
        created_at: now,
        moved_at: now,
      },
      [
        {
          move_id,
          ticket_id,
          event_id,
          position: 0,
          from_place: from,
          from_object: from,
          from_revision,
          to_object: to,
          to_place: to,
          to_revision: revision,
        },
      ],
    );
    await trx<TicketRow>('tickets').where({ id: ticket_id }).update({ place: to, revision });
    const passage = {
      ticket_id,
      from: { place: from, revision: from_revision },
      to: { place: to, revision },
    };
    if (last?.direction === 'in')
      await carryOver(ctx, trx, {
        event_id,
        user_id: 'desk',
        why: movedWords,
        passages: [{ ...passage, last }],
      });
    return true;
  });
}

/** The office makes a phone and shows its link; the token in it pairs once. */
export async function pairingToken(
  ctx: Ctx,
  {
    name,
    gate = name,
    event_ids,
    role = 'steward',
  }: { name: string; gate?: string | null; event_ids: readonly string[]; role?: PhoneRole },
): Promise<string> {
  const wish = { name, gate, event_ids, role, actor: 'user:trial' };
  const { pairing_url } = await makePhone(ctx, wish);
  return new URL(pairing_url).hash.replace('#pair=', '');
}

/** A phone without an app: whoever has the headers speaks for it. */
export async function pairBare(
  ctx: Ctx,
  ask: Parameters<typeof pairingToken>[1],
): Promise<{ phone_id: string; headers: { authorization: string } }> {
  const { phone_id, device_token } = await pairPhone(ctx, {
    token: await pairingToken(ctx, ask),
    app_version: undefined,
    previous_token: undefined,
  });
  return { phone_id, headers: { authorization: `Bearer ${device_token}` } };
}

/** As the office's save of the event: the phones hear of it with their next list or difference. */
export async function changeEvent(
  ctx: Ctx,
  event_id: string,
  changes: Partial<EventRow>,
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    await nextAtDoor(trx, event_id);
    await updateEvent(trx, event_id, changes);
  });
}
