/**
 * The search of the whole office on the wire: one list of whatever a few typed words may mean.
 */
import * as v from 'valibot';
import { orderStates } from '#server/domain/order/order.ts';
import { endpoint, timeOut, trimmed } from './endpoint.ts';

/** `seat` is set where the search found the seat. */
const foundOrder = v.object({
  kind: v.literal('order'),
  id: v.string(),
  number: v.string(),
  buyer_name: v.nullable(v.string()),
  buyer_email: v.nullable(v.string()),
  state: v.picklist(orderStates),
  event_title: v.string(),
  starts_at: timeOut,
  seat: v.nullable(v.string()),
});
const foundEvent = v.object({
  kind: v.literal('event'),
  id: v.string(),
  title: v.string(),
  starts_at: timeOut,
});
const foundPhone = v.object({
  kind: v.literal('phone'),
  id: v.string(),
  name: v.string(),
  gate: v.nullable(v.string()),
});

/**
 * Orders by number, name, mail, telephone, receipt, payment, whole ticket code or seat, newest
 * first; events by title; phones of the door by name. At most 12.
 */
export const searchOffice = endpoint('GET', '/api/admin/search', {
  who: 'see_orders',
  summary: 'Whatever a few words may mean: orders, events, phones of the door',
  query: v.object({ q: trimmed(100, 2) }),
  reply: v.object({
    items: v.array(v.variant('kind', [foundOrder, foundEvent, foundPhone])),
  }),
});
