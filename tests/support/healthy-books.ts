/**
 * An empty database with consistent rows: one order of every kind, into which a test plants an
 * error.
 */
import { inject } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { makeDatabase } from './postgres.ts';
import type { DatabaseKind } from './server.ts';

const hour = 3_600_000;
/** Any time will do, because nothing here reads a clock. */
const now = Date.UTC(2026, 10, 21, 20);

export async function openBooks(database: DatabaseKind) {
  const made = database === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
  const db = connect(made?.address ?? ':memory:');
  await migrate(db);
  await fill(db);
  return {
    db,
    now,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await made?.drop();
    },
  };
}

/**
 * The names of orders say their state: `paid`, `open`, `dead`, `late`, `cash`, `free`, `partly`
 * (one of two places given back).
 */
async function fill(db: Pool): Promise<void> {
  await db('events').insert({
    id: 'show',
    title: 'Show',
    starts_at: now + 240 * hour,
    status: 'published',
    description: '',
    venue_title: 'Teatro',
    seatsio_event_key: 'show',
    seat_pricing: '[]',
    max_seats: 10,
    pay_minutes: 15,
    code_tag: 'SHOW',
    code_secret: 's',
    code_salt: 's',
    verify_policy: 'ask',
    reentry: 0,
    feed_seq: 9,
    feed_epoch: 'e',
    created_at: now - 99 * hour,
  });
  const places = Array.from({ length: 30 }, (_, index) => `A-${index + 1}`);
  await db('places').insert(
    places.map((place, index) => ({
      event_id: 'show',
      place,
      object_label: place,
      kind: 'seat',
      category: 'Platea',
      category_key: '1',
      section: null,
      row: 'A',
      seat: String(index + 1),
      position: index + 1,
      issued: 1,
      feed_seq: 1,
    })),
  );
  await order(db, 'paid', { state: 'confirmed', places: ['A-1', 'A-2'], paid_by: 'stripe' });
  await order(db, 'partly', { state: 'confirmed', places: ['A-3', 'A-4'], paid_by: 'stripe' });
  await order(db, 'cash', { state: 'confirmed', places: ['A-5'], paid_by: 'manual' });
  await order(db, 'free', { state: 'confirmed', places: ['A-6'], paid_by: 'free' });
  await order(db, 'open', { state: 'awaiting_payment', places: ['A-7'], paid_by: null });
  await order(db, 'dead', { state: 'deleted', places: ['A-8'], paid_by: null });
  await order(db, 'late', { state: 'deleted', places: ['A-8'], paid_by: 'stripe' });
  await refund(db, 'r-partly', { order_id: 'partly', places: ['A-4'], origin: 'office' });
  await refund(db, 'r-late', { order_id: 'late', places: [], origin: 'late_payment' });
  await db('tickets')
    .where({ order_id: 'partly', place: 'A-4' })
    .update({ state: 'refunded', ended_at: now - hour });
  await db('order_lines')
    .where({ order_id: 'partly', place: 'A-4' })
    .update({ released_at: now - hour });
  await db('phones').insert({ id: 'phone', name: 'Varco A', created_at: now - 9 * hour });
  await db('admissions').insert(
    [
      ['in', 0],
      ['out', 1],
      ['in', 2],
    ].map(([direction, seq]) => scan({ id: `s${seq}`, direction, seq })),
  );
}

interface PlainOrder {
  state: string;
  places: string[];
  paid_by: 'stripe' | 'manual' | 'free' | null;
}

const price = 2_000;
const fee = 150;

/** Inserts an order, two hours old and finished an hour ago, with all rows of its state. */
async function order(db: Pool, id: string, { state, places, paid_by }: PlainOrder): Promise<void> {
  const isFree = paid_by === 'free';
  const total = isFree ? 0 : places.length * (price + fee);
  const confirmed = state === 'confirmed';
  const deleted = state === 'deleted';
  const session = paid_by === 'stripe' || state === 'awaiting_payment' ? `cs_${id}` : null;
  await db('orders').insert({
    id,
    number: id.toUpperCase(),
    link_key: id,
    event_id: 'show',
    state,
    hold_token: id,
    selection: '[]',
    total_cents: total,
    fee_cents: isFree ? 0 : places.length * fee,
    created_at: now - 2 * hour,
    pay_by: deleted || confirmed ? now - hour : now + hour,
    confirmed_at: confirmed ? now - hour : null,
    deleted_at: deleted ? now - hour : null,
    idempotency_key: `order:${id}:cs:1`,
    session_id: session,
    session_status: session === null ? null : state === 'awaiting_payment' ? 'open' : 'complete',
    buyer_email: confirmed ? 'ada@teatro.it' : null,
    search_text: id,
    paid_by,
    paid_cents: paid_by === null ? 0 : total,
  });
  await db('order_lines').insert(
    places.map((place, position) => ({
      id: `${id}-${place}`,
      order_id: id,
      event_id: 'show',
      place,
      object_label: place,
      category: 'Platea',
      ticket_type: 'intero',
      type_label: 'Intero',
      price_id: 'p',
      price_cents: isFree ? 0 : price,
      fee_cents: isFree ? 0 : fee,
      position,
      released_at: deleted ? now - hour : null,
    })),
  );
  if (confirmed) {
    await db('tickets').insert(
      places.map((place) => ({
        id: `t-${place}`,
        order_id: id,
        event_id: 'show',
        place,
        revision: 1,
        state: 'valid',
        ticket_type: 'intero',
        type_label: 'Intero',
        price_cents: isFree ? 0 : price,
        issued_at: now - hour,
      })),
    );
    await db('mails').insert({
      id: `m-${id}`,
      order_id: id,
      kind: 'tickets',
      key: '',
      message_id: `<${id}@x>`,
      state: 'sent',
      attempts: 1,
      created_at: now - hour,
      sent_at: now - hour,
    });
  }
  if (state === 'awaiting_payment')
    await db('outbox').insert({
      id: `x-${id}`,
      task: 'settle_order',
      subject: id,
      run_at: now + hour,
      attempts: 0,
      bell: 0,
    });
  if (session !== null) {
    const paid = paid_by === 'stripe';
    await db('checkout_sessions').insert({
      id: session,
      order_id: id,
      attempt: 1,
      status: paid ? 'complete' : 'open',
      payment_status: paid ? 'paid' : 'unpaid',
      amount_total: total,
      payment_intent: paid ? `pi_${id}` : null,
      created_at: now - 2 * hour,
      expires_at: now + hour,
      paid_at: paid ? now - hour : null,
    });
  }
  if (paid_by === 'stripe' || paid_by === 'manual') {
    await db('payments').insert({
      id: `p-${id}`,
      order_id: id,
      kind: paid_by,
      payment_intent: paid_by === 'stripe' ? `pi_${id}` : null,
      amount_cents: total,
      actor: 'stripe',
      disputed: 0,
      paid_at: now - hour,
    });
  }
}

async function refund(
  db: Pool,
  id: string,
  { order_id, places, origin }: { order_id: string; places: string[]; origin: string },
): Promise<void> {
  const amount = places.length === 0 ? price + fee : places.length * price;
  await db('refunds').insert({
    id,
    order_id,
    state: 'succeeded',
    origin,
    kind: 'stripe',
    amount_cents: amount,
    // A refund without places gives back everything, with the fee.
    fee_cents: places.length === 0 ? fee : 0,
    voids_tickets: 1,
    frees_seats: 1,
    payment_intent: `pi_${order_id}`,
    stripe_refund_id: `re_${id}`,
    idempotency_key: `refund:${id}`,
    actor: 'system',
    created_at: now - hour,
    settled_at: now - hour,
  });
  if (places.length > 0)
    await db('refund_lines').insert(
      places.map((place) => ({
        refund_id: id,
        order_id,
        line_id: `${order_id}-${place}`,
        price_cents: price,
        fee_cents: 0,
        live: 1,
      })),
    );
  await db('orders').where({ id: order_id }).update({ refunded_cents: amount });
}

/** A counted scan of the ticket on A-1, an hour ago. */
export function scan(changes: object): object {
  return {
    id: 's',
    event_id: 'show',
    place: 'A-1',
    revision: 1,
    ticket_id: 't-A-1',
    phone_id: 'phone',
    user_id: null,
    seq: null,
    direction: 'in',
    verdict: 'admit',
    counts: 1,
    offline: 0,
    scanned_at: now - hour,
    corrected_at: now - hour,
    received_at: now - hour,
    ...changes,
  };
}
