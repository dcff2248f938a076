/** The checks: our own invariants as SQL, and comparisons of the vendors' books with ours. */
import { invariants, registryIsWhole } from '#db/reconcile/invariants.ts';
import type {
  AdmissionRow,
  BlockedAreaRow,
  BlockedPlaceRow,
  MovedTicketRow,
  MoveRow,
  OrderLineRow,
  OrderRow,
  OutboxRow,
  RefundRow,
  ShiftRow,
  TicketRow,
} from '#db/rows.ts';
import { giftsOf } from '#db/counter/shifts.ts';
import { newCodes } from '#server/domain/mail/kinds.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { openStates } from '#server/domain/order/order.ts';
import { checkExchanges, checkExchangesAtEnd } from './exchange-checks.ts';
import { checkParts } from './deposit-deeds.ts';
import { checkSwaps } from './swap-checks.ts';
import type { SeatsDouble } from './seats-double.ts';
import type { Store } from './store.ts';
import { countedAtStripe } from './stripe-double.ts';
import { readShift, type ShiftReport } from '#server/services/counter/shift-report.ts';
import { eveningsOf, eventId, hallOf, mostGifts, type World } from './world.ts';

interface Broken {
  name: string;
  subject: string;
}

type Check = () => Promise<Broken[]>;

/** The invariants that are checked after each step; all others are checked at the end. */
const watched = [
  'tickets_only_when_confirmed',
  'ticket_keeps_its_place',
  'dates_fit_the_state',
  'dead_order_keeps_no_place',
  'order_is_paid_once',
  'order_has_one_open_session',
  'refunds_within_payment',
  'exchange_is_one_or_the_other',
  'exchange_balances',
  'whole_object_has_one_order',
];

/** Makes one SQL statement of the few invariants, and one of all. */
export async function prepareChecks(store: Store): Promise<{ few: Check; all: Check }> {
  // Seals are read entry by entry, so they are checked at the end only.
  const always = invariants.filter((rule) => rule.always && rule !== registryIsWhole);
  const missing = watched.filter((name) => !always.some((rule) => rule.name === name));
  if (missing.length > 0) throw new Error(`no such invariants: ${missing.join(', ')}`);
  const together = (rules: typeof always): Check => {
    // These invariants do not depend on the time, so any time will do.
    const sql = rules
      .map(
        (rule) =>
          `SELECT '${rule.name}' AS name, subject FROM (${String(rule.find(store.db, 0))}) AS broken_${rule.name}`,
      )
      .join('\nUNION ALL ')
      .replaceAll('?', '\\?');
    return async () => {
      const answer = (await store.db.raw(sql)) as Broken[] | { rows: Broken[] };
      return Array.isArray(answer) ? answer : answer.rows;
    };
  };
  return {
    few: together(always.filter((rule) => watched.includes(rule.name))),
    all: together(always),
  };
}

/** Runs after every step. */
export async function checkNow(world: World, check: Check): Promise<void> {
  for (const { name, subject } of await check()) world.wrong(`${name}: ${subject}`);
  if (world.exchanges) await checkExchanges(world);
  if (world.swaps) await checkSwaps(world);
  if (world.deposits) await checkParts(world);
  const payable = world.stripe.sessions.filter(
    (session) =>
      session.seen && session.status === 'open' && session.expires_at > world.scheduler.now(),
  );
  if (payable.length === 0) return;
  for (const [order, sessions] of Map.groupBy(payable, (session) => session.order_id))
    if (sessions.length > 1)
      world.wrong(
        `${order} can be paid twice: ${sessions.map((session) => session.id).join(', ')}`,
      );
  const states = await statesOf(
    world,
    payable.map((session) => session.order_id),
  );
  for (const session of payable) {
    const state = states.get(session.order_id);
    if (state === undefined || !openStates.includes(state))
      world.wrong(
        `${session.id} can be paid though ${session.order_id} is ${state ?? 'unknown to us'}`,
      );
  }
}

async function statesOf(world: World, ids: string[]): Promise<Map<string, OrderRow['state']>> {
  const rows: Pick<OrderRow, 'id' | 'state'>[] = await world.store
    .db<OrderRow>('orders')
    .whereIn('id', ids)
    .select('id', 'state');
  return new Map(rows.map((row) => [row.id, row.state]));
}

/**
 * Runs when everything is quiet: nothing is lost, nothing is sold twice, every cent is accounted
 * for.
 */
export async function checkEnd(world: World): Promise<void> {
  const { store, scheduler, wrong } = world;
  const { db } = store;
  for (const rule of invariants)
    for (const { subject } of await rule.find(db, scheduler.now()))
      wrong(`${rule.name}: ${subject}`);
  const orders = new Map(
    (await db<OrderRow>('orders')).map((order) => [order.id, order as OrderRow]),
  );
  const lines: OrderLineRow[] = await db<OrderLineRow>('order_lines');
  const tickets: TicketRow[] = await db<TicketRow>('tickets');
  for (const order of orders.values()) {
    if (openStates.includes(order.state) && order.needs_attention === null)
      wrong(`${order.id} is stuck in ${order.state}`);
    if (order.lease !== null && order.lease_until! > scheduler.now())
      wrong(`${order.id} is still worked on`);
  }
  for (const id of world.orders)
    if (!orders.has(id)) wrong(`${id} was told to a visitor and is lost`);
  for (const id of world.toldConfirmed)
    if (orders.get(id)?.state !== 'confirmed') wrong(`${id} was told to be confirmed and is not`);
  for (const event_id of eveningsOf(world))
    checkSeats(hallOf(world, event_id), world.wrong, {
      orders,
      lines: lines.filter((line) => line.event_id === event_id),
      tickets: tickets.filter((ticket) => ticket.event_id === event_id),
    });
  checkTables(world, { lines });
  for (const event_id of eveningsOf(world)) await checkBlocks(world, event_id);
  await checkContingents(world);
  await checkShifts(world);
  await checkGuests(world);
  await checkMoney(world, orders, tickets);
  if (world.exchanges) await checkExchangesAtEnd(world);
  await checkMail(world);
  for (const task of (await db<OutboxRow>('outbox')) as OutboxRow[]) {
    const isPatient =
      task.task === 'read_payment' || orders.get(task.subject)?.needs_attention != null;
    if (task.locked_until !== null || !isPatient)
      wrong(
        `work is left: ${task.task} ${task.subject}, ${task.attempts} tries, ${task.last_error ?? 'no error'}`,
      );
  }
}

interface Books {
  orders: Map<string, OrderRow>;
  lines: OrderLineRow[];
  tickets: TicketRow[];
}

/** I14: an object is booked at the seat map if and only if a live order has it. */
function checkSeats(
  seats: SeatsDouble,
  wrong: World['wrong'],
  { orders, lines, tickets }: Books,
): void {
  const live = lines.filter((line) => line.released_at === null);
  for (const { label, capacity } of seats.places) {
    const ours = live.filter((line) => line.object_label === label);
    if (capacity === null) {
      const holder = seats.holderOf(label);
      const owner = ours[0]?.order_id ?? null;
      if (holder !== owner && !(owner !== null && seats.freedByHand.has(`${label} ${owner}`)))
        wrong(
          `${label} is booked for ${holder ?? 'nobody'} at the seat map, and sold to ${owner ?? 'nobody'} in our books`,
        );
      continue;
    }
    for (const [order, own] of Map.groupBy(ours, (line) => line.order_id)) {
      if (seats.standingOf(label, order) !== own.length)
        wrong(
          `${order} has ${own.length} places of ${label}, and ${seats.standingOf(label, order)} at the seat map`,
        );
    }
    if (seats.bookedIn(label) !== ours.length)
      wrong(
        `${seats.bookedIn(label)} places of ${label} are booked at the seat map, ${ours.length} are sold`,
      );
  }
  for (const ticket of tickets) {
    if (
      ticket.state === 'valid' &&
      !live.some((line) => line.order_id === ticket.order_id && line.place === ticket.place)
    )
      wrong(`the ticket ${ticket.id} has no seat`);
    if (ticket.state === 'valid' && orders.get(ticket.order_id)?.state !== 'confirmed')
      wrong(`the ticket ${ticket.id} is of an order that is not confirmed`);
  }
}

/**
 * The guests of a table that is sold whole belong to one order and sit together, because no history
 * sells two tables to one order.
 */
function checkTables({ seats, wrong }: World, { lines }: Pick<Books, 'lines'>): void {
  const live = lines.filter((line) => line.released_at === null && line.whole_size > 0);
  for (const { label, chairs = 0 } of seats.places) {
    const own = live.filter((line) => line.object_label === label && line.event_id === eventId);
    const owners = new Set(own.map((line) => line.order_id));
    if (owners.size > 1) wrong(`${label} is sold whole to ${[...owners].join(' and ')}`);
    if (chairs > 0 && own.length > chairs) wrong(`${own.length} people have ${label} of ${chairs}`);
  }
  for (const [order_id, own] of Map.groupBy(live, (line) => line.order_id)) {
    const tables = new Set(own.map(({ object_label }) => object_label));
    if (tables.size > 1) wrong(`the party of ${order_id} sits at ${[...tables].join(' and ')}`);
  }
}

/**
 * An object is blocked at the seat map if and only if one of our blocks has it, with all its
 * places.
 */
async function checkBlocks(world: World, event_id: string): Promise<void> {
  const { store, wrong } = world;
  const seats = hallOf(world, event_id);
  const rows: BlockedPlaceRow[] = await store
    .db<BlockedPlaceRow>('blocked_places')
    .where({ event_id });
  const areas: BlockedAreaRow[] = await store
    .db<BlockedAreaRow>('blocked_areas')
    .where({ event_id });
  for (const { label, capacity, chairs = 1 } of seats.places) {
    const own = rows.filter(({ place, state }) => state === 'live' && isOf(label, place));
    const isOurs = own.length > 0;
    if (isOurs && own.length !== chairs)
      wrong(`${own.length} of ${chairs} places of ${label} are kept`);
    if (capacity === null && isOurs !== seats.isBlocked(label))
      wrong(
        `${label} is ${isOurs ? 'in a block of ours, and not' : 'not in our books, and'} kept back`,
      );
    if (capacity !== null) checkKept(label, seats.keptIn(label), { areas, wrong });
  }
}

/**
 * An object is in a channel at the seat map if and only if one of our contingents has it, under
 * the same key.
 */
async function checkContingents({ seats, store: { db }, wrong }: World): Promise<void> {
  const kept: { place: string; channel_key: string }[] = await db('contingent_places')
    .join('contingents', 'contingents.id', 'contingent_places.contingent_id')
    .whereNotNull('kept_place')
    .select('contingent_places.place', 'contingents.channel_key');
  for (const { label } of seats.places) {
    const keys = new Set(
      kept.flatMap(({ place, channel_key }) => (isOf(label, place) ? [channel_key] : [])),
    );
    if (([...keys].join() || null) !== seats.channelOf(label))
      wrong(
        `${label} is in ${keys.size > 0 ? 'a' : 'no'} contingent of ours, and at the seat map in ${seats.channelOf(label) ?? 'none'}`,
      );
  }
}

/** True for the object's own place, or one of its places if it is sold whole. */
function isOf(label: string, place: string): boolean {
  return place === label || place.startsWith(`${label}#`);
}

function checkKept(
  label: string,
  kept: ReadonlyMap<string, number>,
  { areas, wrong }: { areas: readonly BlockedAreaRow[]; wrong: World['wrong'] },
): void {
  const ours = new Map(
    areas
      .filter(({ object }) => object === label)
      .map(({ block_id, places }) => [block_id, places]),
  );
  for (const id of new Set([...ours.keys(), ...kept.keys()]))
    if (ours.get(id) !== kept.get(id))
      wrong(
        `${id} keeps ${kept.get(id) ?? 0} places of ${label}, our books say ${ours.get(id) ?? 0}`,
      );
}

/** Only figures that a later move of a sold seat cannot change are compared. */
function moneyOf({ expected_cents, payments, refunds, moves, gifts }: ShiftReport): string {
  return JSON.stringify({ expected_cents, payments, refunds, moves, gifts });
}

/** The desk admits no guest twice, and a guest inside whose ticket moved has left the old place. */
async function checkGuests({ store: { db }, wrong }: World): Promise<void> {
  const scans: AdmissionRow[] = await db<AdmissionRow>('admissions')
    .where({ counts: 1 })
    .orderBy('corrected_at');
  const tickets = new Map(
    (await db<TicketRow>('tickets').select('id', 'event_id')).map(({ id, event_id }) => [
      id,
      event_id,
    ]),
  );
  for (const { id, place, conflict_with } of scans)
    if (conflict_with !== null) wrong(`${place}: ${id} stands against ${conflict_with}`);
  const moved: MovedTicketRow[] =
    await db<MovedTicketRow>('moved_tickets').whereNotNull('to_place');
  for (const { ticket_id, from_place, from_revision } of moved) {
    const own = scans.filter(
      ({ event_id, place, revision }) =>
        event_id === tickets.get(ticket_id) && place === from_place && revision === from_revision,
    );
    if (own.at(-1)?.direction === 'in')
      wrong(`${ticket_id} has moved, and its guest still sits on ${from_place}`);
  }
}

/** The figures of a closed shift stay true, and no person gives away more tickets than allowed. */
async function checkShifts(world: World): Promise<void> {
  const { store, wrong } = world;
  const { db } = store;
  for (const shift of (await db<ShiftRow>('shifts')) as ShiftRow[]) {
    if (shift.closed_at === null) continue;
    const then = moneyOf(JSON.parse(shift.report!) as ShiftReport);
    const now = moneyOf(await readShift(db, shift));
    if (now !== then) wrong(`the shift ${shift.id} was closed with ${then} and reads ${now}`);
  }
  for (const event_id of eveningsOf(world))
    for (const user_id of ['ada', 'bea']) {
      const given = await giftsOf(db, { event_id, user_id });
      if (given > mostGifts) wrong(`${user_id} has given away ${given} tickets`);
    }
}

/** The cents that moves have cost an order (above zero) or given back to it (below). */
async function differencesOf({ db }: Store) {
  const moves = ((await db<MoveRow>('moves')) as MoveRow[]).filter(
    ({ moved_at }) => moved_at !== null,
  );
  return (order_id: string) => {
    const sum = (end: 'paid' | 'refunded') =>
      moves
        .filter((move) => move.order_id === order_id && move.difference_end === end)
        .reduce((cents, move) => cents + move.difference_cents, 0);
    return { paid: sum('paid'), refunded: sum('refunded') };
  };
}

/**
 * A paid order has tickets, a full refund, or a task for the office; and both books show the same
 * sums.
 */
async function checkMoney(
  { stripe, store, wrong }: World,
  orders: Map<string, OrderRow>,
  tickets: TicketRow[],
): Promise<void> {
  const refunds: RefundRow[] = await store.db<RefundRow>('refunds');
  const differences = await differencesOf(store);
  const accepted = new Set(
    await store.db('audit').where({ action: 'attention_settled' }).pluck('subject'),
  );
  for (const payment of stripe.payments) {
    const order = orders.get(payment.order_id);
    if (!order) {
      wrong(`${payment.payment_intent} was paid for an order that we do not have`);
      continue;
    }
    if (payment.status !== 'succeeded') {
      if (order.paid_by === 'stripe')
        wrong(`${order.id} counts as paid, and ${payment.payment_intent} is ${payment.status}`);
      continue;
    }
    const back = countedAtStripe(payment);
    const had = tickets.filter((ticket) => ticket.order_id === order.id).length;
    const isServed = order.state === 'confirmed' && had > 0;
    if (!isServed && back < payment.amount && order.needs_attention === null)
      wrong(
        `${order.id} was paid with ${payment.amount}, has ${had} tickets, and ${back} were given back`,
      );
    if (payment.disputes.length > 0) continue;
    const { paid: paidLater } = differences(order.id);
    const credit = order.state === 'confirmed' ? (order.exchange_credit_cents ?? 0) : 0;
    if (order.paid_by === 'stripe' && order.paid_cents !== payment.amount + paidLater + credit)
      wrong(`${order.id} was paid with ${payment.amount}, and our books say ${order.paid_cents}`);
    const known = refunds
      .filter(
        (refund) =>
          refund.payment_intent === payment.payment_intent &&
          refund.kind === 'stripe' &&
          countedRefunds.includes(refund.state),
      )
      .reduce((sum, refund) => sum + refund.amount_cents, 0);
    if (known !== back)
      wrong(`${back} of ${order.id} went back at Stripe, and our books say ${known}`);
    for (const refund of payment.refunds) {
      const row = refunds.find((known) => known.stripe_refund_id === refund.id);
      if (!row) wrong(`the refund ${refund.id} of ${order.id} is not in our books`);
      else if (row.state !== refund.status)
        wrong(`the refund ${refund.id} is ${refund.status}, and ${row.state} in our books`);
    }
  }
  for (const order of orders.values()) {
    const paid = stripe.payments.filter(
      (payment) => payment.order_id === order.id && payment.status === 'succeeded',
    );
    if (paid.length > 1) wrong(`${order.id} was paid ${paid.length} times`);
    const tries = stripe.sessions.filter((session) => session.order_id === order.id).length;
    if (tries > order.attempt)
      wrong(`${order.id} has ${tries} sessions at Stripe after ${order.attempt} tries`);
    if (
      order.state === 'confirmed' &&
      order.paid_by === 'stripe' &&
      order.paid_cents + differences(order.id).refunded !== order.total_cents &&
      !accepted.has(order.id)
    )
      wrong(`${order.id} costs ${order.total_cents} and was confirmed for ${order.paid_cents}`);
    if (order.paid_by === 'stripe' && paid.length === 0)
      wrong(`${order.id} counts as paid, and Stripe has no payment`);
    if (
      order.state === 'confirmed' &&
      order.paid_by !== 'stripe' &&
      paid.some((payment) => countedAtStripe(payment) < payment.amount) &&
      order.needs_attention === null
    )
      wrong(`${order.id} was paid at the desk and at Stripe`);
    for (const session of stripe.sessions) {
      if (
        session.order_id === order.id &&
        session.seen &&
        session.id !== order.session_id &&
        session.status === 'complete'
      )
        wrong(`${session.id} of ${order.id} was paid, and ${order.id} knows ${order.session_id}`);
    }
  }
}

/**
 * Each order is sent its tickets once, but for those with new codes; and a repeated mail has the same
 * Message-ID.
 */
async function checkMail({ mailbox, store, wrong }: World): Promise<void> {
  const rows: {
    message_id: string;
    state: string;
    sent_at: number | null;
    kind: string;
    key: string;
    order_id: string;
  }[] = await store.db('mails');
  const known = new Set(rows.map((row) => row.message_id));
  for (const mail of mailbox)
    if (!known.has(mail.message_id)) wrong(`a mail left that is not in our books: ${mail.subject}`);
  const sent = new Set(mailbox.map((mail) => mail.message_id));
  for (const row of rows)
    if (row.state === 'sent' && !sent.has(row.message_id))
      wrong(`the mail ${row.kind} of ${row.order_id} counts as sent, and never left`);
  for (const [subject, same] of Map.groupBy(
    rows.filter(({ kind, key }) => kind === 'tickets' && !key.startsWith(newCodes)),
    (row) => row.order_id,
  ))
    if (same.length > 1) wrong(`${subject} was sent its tickets ${same.length} times`);
}
