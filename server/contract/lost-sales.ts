/**
 * Counter sales that a restored house has lost with what its backup lacks, on the wire: looked at,
 * and written again. Money in cents, times ISO.
 */
import * as v from 'valibot';
import { counterMethods } from '#server/domain/counter/counter.ts';
import { directions } from '#server/domain/door/admission.ts';
import { orderStates } from '#server/domain/order/order.ts';
import { endpoint, text, timeOut, trimmed } from './endpoint.ts';
import { mailAddress } from './mail-address.ts';

/** A code as it was typed or scanned, or the id of a scan that has proved that it read one. */
const ticket = text(200, 1);
const cents = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000));

/** The time that the backup lacks, and the lost tickets that phones have read since. */
export const listLost = endpoint('GET', '/api/admin/lost-sales', {
  who: 'change_orders',
  summary: 'Lost tickets that were read at the door after a restore',
  reply: v.object({
    /** Null: this house was never restored. */
    restored: v.nullable(v.object({ copied_at: timeOut, restored_at: timeOut })),
    scans: v.array(
      v.object({
        admission_id: v.string(),
        event_title: v.string(),
        event_starts_at: timeOut,
        seat: v.string(),
        direction: v.picklist(directions),
        at: timeOut,
        gate: v.nullable(v.string()),
      }),
    ),
  }),
});

/**
 * Stores nothing. `obstacle`: why the sale cannot be written again; `kept`: the seat map keeps the
 * place for another. `types`: what the event sells in this category now.
 */
export const lookAtLost = endpoint('POST', '/api/admin/lost-sales/look', {
  who: 'change_orders',
  refusals: ['house_not_restored', 'lost_code_unknown', 'ticket_known', 'provider_silent'],
  summary: 'What is known of a lost ticket',
  body: v.object({ ticket }),
  reply: v.object({
    event_id: v.string(),
    event_title: v.string(),
    event_starts_at: timeOut,
    place: v.string(),
    seat: v.string(),
    category: v.string(),
    obstacle: v.nullable(
      v.variant('kind', [
        v.object({ kind: v.literal('sold'), order_id: v.string(), number: v.string() }),
        v.object({ kind: v.literal('kept') }),
      ]),
    ),
    types: v.array(
      v.object({ ticket_type: v.string(), label: v.string(), amount_cents: v.number() }),
    ),
  }),
});

/**
 * Writes a sale of the counter again. `amount_cents`: what the ticket cost, fee included. The same
 * tickets again are the same sale. `same_code`: the paper that the buyer has stays valid.
 */
export const rebuildSale = endpoint('POST', '/api/admin/lost-sales', {
  who: 'change_orders',
  limit: 'sell',
  refusals: [
    'house_not_restored',
    'lost_code_unknown',
    'ticket_known',
    'lost_place_taken',
    'event_not_found',
    'event_cancelled',
    'sale_closed',
    'object_without_price',
    'provider_silent',
    'seats_taken',
    'hold_expired',
    'try_again',
  ],
  summary: 'Write a lost sale again',
  body: v.object({
    tickets: v.pipe(
      v.array(v.object({ ticket, ticket_type: text(100, 1), amount_cents: cents })),
      v.minLength(1),
      v.maxLength(50),
    ),
    method: v.picklist(counterMethods),
    buyer: v.optional(
      v.object({
        name: v.optional(trimmed(200, 1)),
        email: v.optional(mailAddress),
        phone: v.optional(trimmed(40, 1)),
      }),
    ),
  }),
  reply: v.object({
    order_id: v.string(),
    number: v.string(),
    state: v.picklist(orderStates),
    total_cents: v.number(),
    replayed: v.boolean(),
    tickets: v.array(v.object({ seat: v.string(), same_code: v.boolean() })),
  }),
});
