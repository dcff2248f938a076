/** Orders on the wire: booking, the overlay's status, the order page, and the office's list and detail. */
import * as v from 'valibot';
import { checkoutStatuses, orderStates } from '#server/domain/order.ts';
import { endpoint, text, timeOut } from './endpoint.ts';
import { ticket } from './tickets.ts';

/** Specification §3, shapes of decisions §4. quantity is for standing areas; a repeated identical call gets the first answer. */
export const bookSeats = endpoint({
  method: 'POST', path: '/api/event/:eventId/book', who: 'public', limit: 'book',
  summary: 'Book the selected seats and open the checkout',
  refusals: [
    'nothing_selected', 'event_not_found', 'seats_taken', 'hold_expired', 'sale_closed', 'event_cancelled',
    'object_without_price', 'object_unknown', 'orphan_seats', 'seats_not_consecutive', 'too_many_seats', 'order_pending', 'provider_silent', 'checkout_refused',
  ],
  body: v.object({
    hold_token: text(200, 1),
    selected_objects: v.pipe(v.array(v.object({
      object_id: text(200, 1),
      ticket_type: v.optional(text(100, 1)),
      quantity: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
    })), v.maxLength(100)),
  }),
  reply: v.object({ order_id: v.string(), checkout_url: v.string() }),
});

/** Exactly the five fields of the specification: no personal data. */
export const orderStatus = endpoint({
  method: 'GET', path: '/api/orders/:orderId/status', who: 'public', limit: 'read', refusals: ['order_not_found'],
  summary: 'Where an order stands',
  reply: v.object({
    order_id: v.string(), order_confirmed_at: v.nullable(timeOut), order_deleted_at: v.nullable(timeOut),
    checkout_session_status: v.nullable(v.picklist(checkoutStatuses)), checkout_url: v.nullable(v.string()),
  }),
});

/** 204, may be repeated; on a paid order it changes nothing and the status says so. */
export const cancelCheckout = endpoint({
  method: 'DELETE', path: '/api/orders/:orderId/checkout_session', who: 'public', limit: 'change', refusals: ['order_not_found', 'provider_silent'],
  summary: 'Give the seats back before paying',
});

/** Ours: what the order page shows. Whoever knows the order id (128 random bits) may see it. */
export const getOrder = endpoint({
  method: 'GET', path: '/api/orders/:orderId', who: 'public', limit: 'read', refusals: ['order_not_found'],
  summary: 'The order page',
  reply: v.object({
    order_id: v.string(), number: v.string(), state: v.picklist(orderStates),
    order_confirmed_at: v.nullable(timeOut), order_deleted_at: v.nullable(timeOut), pay_by: timeOut,
    checkout_session_status: v.nullable(v.picklist(checkoutStatuses)), checkout_url: v.nullable(v.string()),
    total_cents: v.number(),
    event: v.object({
      id: v.string(), title: v.string(), starts_at: timeOut, doors_at: v.nullable(timeOut),
      venue_title: v.string(), venue_href: v.nullable(v.string()), event_ball_image: v.nullable(v.string()),
    }),
    lines: v.array(v.object({ seat: v.string(), category: v.string(), type_label: v.string(), price_cents: v.number() })),
    tickets: v.array(ticket),
  }),
});

const orderRow = v.object({
  order_id: v.string(), number: v.string(), state: v.picklist(orderStates), event_id: v.string(), event_title: v.string(),
  created_at: timeOut, order_confirmed_at: v.nullable(timeOut), order_deleted_at: v.nullable(timeOut), pay_by: timeOut,
  places: v.number(), total_cents: v.number(), buyer_name: v.nullable(v.string()), buyer_email: v.nullable(v.string()),
  receipt_number: v.nullable(v.string()), needs_attention: v.nullable(v.string()),
});

export const listOrders = endpoint({
  method: 'GET', path: '/api/admin/orders/', who: 'office', limit: 'read',
  summary: 'Orders, newest first; q looks in number, name, mail and receipt number',
  query: v.object({
    limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(100))),
    cursor: v.optional(text(100)),
    q: v.optional(text(100)),
    event_id: v.optional(text(100)),
    state: v.optional(v.picklist(orderStates)),
  }),
  reply: v.object({ items: v.array(orderRow), next_cursor: v.nullable(v.string()) }),
});

export const readOrder = endpoint({
  method: 'GET', path: '/api/admin/orders/:orderId', who: 'office', limit: 'read', refusals: ['order_not_found'],
  summary: 'One order for the office',
  reply: v.object({
    ...orderRow.entries,
    buyer_phone: v.nullable(v.string()), payment_intent: v.nullable(v.string()),
    checkout_session_status: v.nullable(v.picklist(checkoutStatuses)),
    lines: v.array(v.object({ seat: v.string(), category: v.string(), type_label: v.string(), price_cents: v.number() })),
    history: v.array(v.object({ at: timeOut, actor: v.string(), action: v.string() })),
  }),
});

export const listOrderTickets = endpoint({
  method: 'GET', path: '/api/admin/orders/:orderId/tickets', who: 'office', limit: 'read', refusals: ['order_not_found'],
  summary: 'The tickets of an order',
  reply: v.object({ items: v.array(ticket) }),
});

/** Read at Stripe now, through its SDK. */
export const readCheckoutSession = endpoint({
  method: 'GET', path: '/api/admin/orders/:orderId/checkout_session', who: 'office', limit: 'read', refusals: ['order_not_found', 'provider_silent'],
  summary: 'The checkout session of an order',
  reply: v.object({
    id: v.string(), status: v.picklist(checkoutStatuses), payment_status: v.string(), amount_total: v.number(), currency: v.string(),
    expires_at: timeOut, customer_name: v.nullable(v.string()), customer_email: v.nullable(v.string()),
    payment_intent: v.nullable(v.string()), url: v.nullable(v.string()),
  }),
});
