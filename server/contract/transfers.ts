/** Orders of a moved or cancelled event that go to another date together (RULES E7). */
import * as v from 'valibot';
import { transferObstacles } from '#server/domain/counter/transfer.ts';
import { endpoint, text, timeOut } from './endpoint.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(0));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));

/** `to_event_id`: one of the dates as read. Without `order_ids` all orders without an answer. */
const wish = {
  to_event_id: text(100, 1),
  order_ids: v.optional(v.pipe(v.array(text(40, 1)), v.minLength(1), v.maxLength(2_000))),
};

/** An order that stays without an answer, and why. */
const staying = v.array(
  v.object({
    order_id: v.string(),
    number: v.string(),
    buyer_name: v.nullable(v.string()),
    obstacle: v.nullable(v.picklist(transferObstacles)),
  }),
);

/**
 * `dates`: the other dates of the show that are on sale now. `transfer`: the last one of this
 * event, null: there was none; its counts are orders, `finished_at` null: it is under way.
 */
export const readTransfer = endpoint('GET', '/api/admin/events/:eventId/answers/transfer', {
  who: 'refund',
  refusals: ['event_not_found'],
  summary: 'How far orders are that go to another date together',
  reply: v.object({
    dates: v.array(v.object({ event_id: v.string(), title: v.string(), starts_at: timeOut })),
    transfer: v.nullable(
      v.object({
        transfer_id: v.string(),
        to: v.object({ event_id: v.string(), title: v.string(), starts_at: timeOut }),
        created_at: timeOut,
        finished_at: v.nullable(timeOut),
        waiting: v.number(),
        done: v.number(),
        left: v.number(),
        staying,
      }),
    ),
  }),
});

const refusals = [
  'event_not_found',
  'question_over',
  'sale_closed',
  'nobody_to_move',
  'provider_silent',
  'checkout_refused',
] as const;

/**
 * What would become of the orders: the free seats nearest and most alike, at no more than the old
 * tickets give. `same_seats`: tickets that keep their seat. `back_cents`: what goes back as it
 * came, because the new tickets cost less, of `back_orders`. Changes nothing.
 */
export const previewTransfer = endpoint(
  'POST',
  '/api/admin/events/:eventId/answers/transfer/preview',
  {
    who: 'refund',
    limit: 'read',
    refusals,
    summary: 'Which orders would fit on another date',
    body: v.object(wish),
    reply: v.object({
      orders: v.number(),
      tickets: v.number(),
      same_seats: v.number(),
      back_orders: v.number(),
      back_cents: v.number(),
      staying,
    }),
  },
);

/**
 * Begins a minute later; until then it is taken back as an announcement with this id. A repeated
 * `transfer_key` starts nothing more. 409 transfer_changed unless `expected_orders` and
 * `expected_back_cents` are those of a preview now; transfer_running while another one goes on.
 */
export const startTransfer = endpoint('POST', '/api/admin/events/:eventId/answers/transfer', {
  who: 'refund',
  refusals: [...refusals, 'transfer_changed', 'transfer_running', 'confirm_again'],
  summary: 'Take orders of a moved or cancelled event to another date',
  body: v.object({
    transfer_key: v.pipe(text(36), v.uuid()),
    ...wish,
    expected_orders: count,
    expected_back_cents: cents,
  }),
  reply: v.object({ transfer_id: v.string() }),
});
