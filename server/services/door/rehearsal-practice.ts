/**
 * The content of a rehearsal: practice places with seats like the real ones, the orders and
 * tickets that its cards need, and the codes on the sheet.
 */
import { randomBytes } from 'node:crypto';
import { bareOrder, listPriced } from '#db/order/orders.ts';
import { categoriesOf } from '#db/seat/seats.ts';
import { samplePlaces, type Practice, type SampledPlace } from '#db/door/rehearsals.ts';
import type {
  AdmissionRow,
  EventRow,
  OrderLineRow,
  OrderRow,
  PlaceRow,
  TicketRow,
  New,
} from '#db/rows.ts';
import { gateOf, gatesIn } from '#server/domain/door/gate.ts';
import { spellOrderNumber } from '#server/domain/order/order.ts';
import { saleTermsOf } from '#server/domain/order/terms.ts';
import { type CategoryPricing, pricingOf } from '#server/domain/price/pricing.ts';
import {
  cardPlans,
  gateCard,
  nobodysGate,
  practiceKey,
  type CardPlan,
} from '#server/domain/door/rehearsal.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { base32Of, writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { newLinkKey } from '#server/services/order/order-link.ts';
import { codeOf, macOf } from '#server/services/order/tickets.ts';
import { bareScan } from './passages.ts';

/** A sheet with more cards would take too long to try. */
const mostGates = 8;
const mostCategories = 8;
/** The category of places that may be entered at any gate. */
const anyGate = 'prova';

/** The whole sheet: the fixed cards, then one card per gate. */
export function plansOf(event: EventRow): CardPlan[] {
  return [...cardPlans, ...realGates(event).map((gate, index) => gateCard(gate, index + 1))];
}

export function realGates(event: EventRow): string[] {
  return gatesIn(pricingOf(event)).filter((gate) => gate !== nobodysGate);
}

/** Only the rehearsal's own categories have gates; others may be entered at any gate. */
export function practicePricing(source: EventRow | null): CategoryPricing[] {
  const gates =
    source === null
      ? ['Varco A', 'Varco B']
      : gatesIn(pricingOf(source))
          .filter((gate) => gate !== nobodysGate)
          .slice(0, mostGates);
  return [
    ...gates.map((gate, index) => ({ category: `gate-${index + 1}`, ticketTypes: [], gate })),
    { category: 'nobody', ticketTypes: [], gate: nobodysGate },
  ];
}

/** The name of a card's nth place; null if the card's code belongs to no place. */
export function placeOf(plan: CardPlan, nth: number): string | null {
  return plan.source.kind === 'ticket' || plan.source.kind === 'unsold'
    ? `${plan.key}-${nth}`
    : null;
}

/** How many tickets were issued on a card's place so far. */
function issuedOn({ source }: CardPlan): number {
  if (source.kind !== 'ticket') return 0;
  return source.replaced ? 2 : 1;
}

/**
 * Every card shows its place's first code: the old code of a replaced ticket, or for an unsold
 * place the code of its next ticket.
 */
const revision = 1;

/**
 * The card's code; null if it must come from another event and there is none. A code without a
 * place is made from the event's secret too, so that a second print has the same code.
 */
export function cardCode(
  event: EventRow,
  plan: CardPlan,
  { nth, other }: { nth: number; other: Pick<EventRow, 'code_tag'> | null },
): string | null {
  const place = placeOf(plan, nth);
  if (place !== null) return codeOf(event, { place, revision, earlier_codes: 0 });
  if (plan.source.kind === 'other_event')
    return other && writeTicketCode(other.code_tag, noise(event, plan.key));
  return writeTicketCode(event.code_tag, noise(event, plan.key));
}

function noise(event: EventRow, about: string): Buffer {
  return macOf(event, `nobody's|${about}`);
}

/** Seats of a real event, from its categories in turn; `ofGate`: the same for each gate. */
interface Hall {
  seats: SampledPlace[];
  ofGate: Map<string, SampledPlace[]>;
}

export async function sampleHall(ctx: Ctx, source: EventRow | null): Promise<Hall> {
  if (source === null) return { seats: inventedSeats(), ofGate: new Map() };
  const pricing = pricingOf(source);
  const categories = [
    ...new Map(
      (await categoriesOf(ctx.db, source.id)).map((category) => [category.category_key, category]),
    ).values(),
  ].slice(0, mostCategories);
  const samples: SampledPlace[][] = [];
  const ofGate = new Map<string, SampledPlace[]>();
  for (const { category, category_key } of categories) {
    const sample = await samplePlaces(
      ctx.db,
      source.id,
      category_key,
      cardPlans.length + mostGates,
    );
    samples.push(sample);
    const gate = gateOf(pricing, { key: category_key, label: category });
    if (gate !== null) ofGate.set(gate, sample);
  }
  const seats = Array.from(
    { length: Math.max(0, ...samples.map(({ length }) => length)) },
    (_, index) => samples.flatMap((sample) => sample[index] ?? []),
  ).flat();
  return { seats: seats.length > 0 ? seats : inventedSeats(), ofGate };
}

function inventedSeats(): SampledPlace[] {
  return Array.from({ length: 40 }, (_, index) => {
    const category = index % 2 === 0 ? 'Platea' : 'Galleria';
    return {
      kind: 'seat' as const,
      category,
      category_key: category,
      section: category,
      row: String.fromCodePoint(65 + Math.floor(index / 20)),
      seat: String((Math.floor(index / 2) % 10) + 1),
    };
  });
}

/** Invented names for practising the search. */
const names = [
  'Anna',
  'Bruno',
  'Carla',
  'Dario',
  'Elisa',
  'Fabio',
  'Gianna',
  'Nicolò',
  'Irene',
  'Luca',
  'Marta',
  'Nadia',
  'Oscar',
  'Paola',
  'Rita',
  'Sandro',
  'Teresa',
  'Ugo',
  'Viola',
  'Zeno',
];

interface Practised extends Practice {
  places: Omit<PlaceRow, 'feed_seq'>[];
}

/** All rows of a rehearsal except its event; `user_id`: the user who makes it. */
export function practise(
  ctx: Ctx,
  event: Omit<EventRow, 'feed_seq'>,
  { hall, user_id }: { hall: Hall; user_id: string },
): Practised {
  const made: Practised & {
    orders: OrderRow[];
    lines: OrderLineRow[];
    tickets: New<TicketRow>[];
    admissions: AdmissionRow[];
  } = { places: [], orders: [], lines: [], tickets: [], admissions: [] };
  const plans = plansOf({ ...event, feed_seq: 0 });
  let used = 0;
  for (const plan of plans) {
    const order = plan.source.kind === 'ticket' ? orderOf(ctx, event) : null;
    for (let nth = 1; nth <= plan.count; nth += 1) {
      const name = placeOf(plan, nth);
      if (name === null) continue;
      const place = placeFor(event, plan, { name, seat: seatFor(event, plan, { hall, at: used }) });
      made.places.push(place);
      used += 1;
      if (order && plan.source.kind === 'ticket')
        addTicket(ctx, made, {
          order,
          place,
          plan,
          holder: `${names[used % names.length]!} Prova`,
          user_id,
        });
    }
    if (order) made.orders.push(order);
  }
  // insertWithPlaces() gives the event this number: one more than the last place has.
  const feed_seq = made.places.length + 1;
  return { ...made, admissions: made.admissions.map((admission) => ({ ...admission, feed_seq })) };
}

function seatFor(
  event: Omit<EventRow, 'feed_seq'>,
  plan: CardPlan,
  { hall, at }: { hall: Hall; at: number },
): SampledPlace {
  const gate = plan.key.startsWith('gate-')
    ? gateOf(pricingOf(event), { key: plan.key, label: '' })
    : null;
  const seats = (gate === null ? undefined : hall.ofGate.get(gate)) ?? hall.seats;
  // Two cards with the same seat would confuse the steward, so seats repeat only in a small hall.
  return requireValue(seats[(gate === null ? at : seats.length - 1) % seats.length], 'seat');
}

function placeFor(
  event: Pick<EventRow, 'id'>,
  plan: CardPlan,
  { name, seat }: { name: string; seat: SampledPlace },
): Omit<PlaceRow, 'feed_seq'> {
  const own = plan.key === 'nobody' || plan.key.startsWith('gate-') ? plan.key : anyGate;
  return {
    event_id: event.id,
    place: name,
    object_label: name,
    kind: seat.kind === 'area' ? 'seat' : seat.kind,
    category: seat.category,
    category_key: own,
    section: seat.section,
    row: seat.row,
    seat: seat.seat,
    position: 1,
    issued: issuedOn(plan),
    earlier_codes: 0,
    lost_codes: 0,
    skipped_to: 0,
    in_whole: 0,
    lost_revisions: null,
    entrance: null,
    restricted_view: 0,
    accessible: 0,
    companion: 0,
    in_hall: 1,
  };
}

function orderOf(ctx: Ctx, event: Omit<EventRow, 'feed_seq'>): OrderRow {
  const id = ctx.newId();
  const number = spellOrderNumber(base32Of(randomBytes(5)));
  const now = ctx.now();
  return {
    ...bareOrder,
    id,
    number,
    link_key: newLinkKey(),
    search_text: searchTextOf(number),
    event_id: event.id,
    state: 'confirmed',
    hold_token: '',
    selection: '[]',
    total_cents: 0,
    fee_cents: 0,
    created_at: now,
    pay_by: now,
    confirmed_at: now,
    idempotency_key: `${practiceKey}${id}`,
    paid_by: 'free',
    ...saleTermsOf(event),
  };
}

interface NewTicket {
  order: OrderRow;
  place: Omit<PlaceRow, 'feed_seq'>;
  plan: CardPlan;
  holder: string;
  user_id: string;
}

function addTicket(
  ctx: Ctx,
  into: { lines: OrderLineRow[]; tickets: New<TicketRow>[]; admissions: AdmissionRow[] },
  { order, place, plan, holder, user_id }: NewTicket,
): void {
  if (plan.source.kind !== 'ticket') return;
  const { state, inside = false, trial = false } = plan.source;
  const now = ctx.now();
  const type = { ticket_type: 'prova', type_label: 'Prova' };
  const ended_at = state === 'void' || state === 'refunded' ? now : null;
  into.lines.push({
    id: ctx.newId(),
    order_id: order.id,
    event_id: place.event_id,
    place: place.place,
    object_label: place.object_label,
    category: place.category,
    ...type,
    ...listPriced,
    price_id: 'prova',
    price_cents: 0,
    fee_cents: 0,
    service_cents: 0,
    left_hall: 0,
    booked_type: null,
    whole_size: 0,
    position: into.lines.length,
    released_at: ended_at,
    offered_at: null,
  });
  const ticket: New<TicketRow> = {
    id: ctx.newId(),
    order_id: order.id,
    event_id: place.event_id,
    place: place.place,
    revision: place.issued,
    state,
    ...type,
    price_cents: 0,
    test_money: trial ? 1 : 0,
    holder,
    holder_email: null,
    holder_changes: 0,
    reentry: order.reentry,
    issued_at: now,
    ended_at,
    // The office's search by code must not find a rehearsal's ticket.
    code_end: null,
  };
  into.tickets.push(ticket);
  if (inside) into.admissions.push(entryOf(ctx, ticket, user_id));
}

/** The first entry of a guest who is inside already; the card's own scan is then the second. */
function entryOf(ctx: Ctx, ticket: New<TicketRow>, user_id: string): AdmissionRow {
  const now = ctx.now();
  return {
    ...bareScan,
    id: ctx.newId(),
    event_id: ticket.event_id,
    place: ticket.place,
    revision: ticket.revision,
    ticket_id: ticket.id,
    user_id,
    direction: 'in',
    verdict: 'admit',
    counts: 1,
    offline: 0,
    scanned_at: now,
    corrected_at: now,
    received_at: now,
    means: 'search',
  };
}
