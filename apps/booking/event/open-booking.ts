/**
 * The unanswered booking, in session storage. It is sent again until it is answered, which always
 * gives the same order.
 */
import type { Asked } from '#server/contract/endpoint.ts';
import type { bookSeats } from '#server/contract/order/orders.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

/** Use a new number if the shape changes. */
const kept = keptText('sessionStorage', 'botteghino.booking.1');

export type FreeBuyer = NonNullable<Asked<typeof bookSeats>['body']['buyer']>;

export interface OpenBooking {
  event_id: string;
  hold_token: string;
  selected_objects: { object_id: string; ticket_type?: string; quantity?: number }[];
  contingent_code?: string;
  codes?: string[];
  conventions?: string[];
  address?: string;
  expected_cents?: number;
  offer?: string;
  buyer?: FreeBuyer;
  exchange?: Asked<typeof bookSeats>['body']['exchange'];
  /** Set if the server has stored the order but could not open its checkout. */
  order_id?: string;
}

/**
 * Parses the stored text; null if unreadable. It is checked by hand, because a library would make
 * the first script larger.
 */
export function parseOpenBooking(text: string | null): OpenBooking | null {
  const read = parseKept(text) as Partial<OpenBooking> | null;
  const isText = (value: unknown) => typeof value === 'string';
  const whole =
    isText(read?.event_id) &&
    isText(read?.hold_token) &&
    isMissingOr(read?.order_id, 'string') &&
    isMissingOr(read?.contingent_code, 'string') &&
    isMissingOr(read?.codes, 'object') &&
    isMissingOr(read?.conventions, 'object') &&
    isMissingOr(read?.address, 'string') &&
    isMissingOr(read?.expected_cents, 'number') &&
    isMissingOr(read?.offer, 'string') &&
    isMissingOr(read?.buyer, 'object') &&
    Array.isArray(read?.selected_objects) &&
    read.selected_objects.every(
      (object) =>
        isText(object?.object_id) &&
        isMissingOr(object.ticket_type, 'string') &&
        isMissingOr(object.quantity, 'number'),
    );
  return whole ? (read as OpenBooking) : null;
}

function isMissingOr(value: unknown, type: 'string' | 'number' | 'object'): boolean {
  return value === undefined || typeof value === type;
}

export function bodyOf({
  event_id: _event,
  order_id: _order,
  ...body
}: OpenBooking): Asked<typeof bookSeats>['body'] {
  return body;
}

function read(): OpenBooking | null {
  return parseOpenBooking(kept.read());
}

export function openBookingOf(eventId: string): OpenBooking | null {
  const booking = read();
  return booking?.event_id === eventId ? booking : null;
}

/** Whether the stored booking contains this object. */
export function isAskedFor(object_id: string): boolean {
  return read()?.selected_objects.some((object) => object.object_id === object_id) ?? false;
}

export function keepBooking(booking: OpenBooking): void {
  kept.write(JSON.stringify(booking));
}

export function forgetBooking(): void {
  kept.write(null);
}

/**
 * Forgets the booking of an order that is settled, because repeating it would make a new order.
 */
export function forgetBookingOf(orderId: string): void {
  if (read()?.order_id === orderId) forgetBooking();
}
