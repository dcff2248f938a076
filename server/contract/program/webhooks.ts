/** Webhook addresses and their deliveries, as the office sees them. */
import * as v from 'valibot';
import {
  deliveryStates,
  webAddress,
  offReasons,
  webhookKinds,
} from '#server/domain/program/webhook.ts';
import { endpoint, pageAsk, pageOf, text, timeOut } from '#server/contract/endpoint.ts';

const address = v.object({
  id: v.string(),
  url: v.string(),
  kinds: v.array(v.picklist(webhookKinds)),
  event: v.nullable(v.object({ id: v.string(), title: v.nullable(v.string()) })),
  created_at: timeOut,
  /** Until then messages are also signed with the former secret. */
  earlier_until: v.nullable(timeOut),
  off_at: v.nullable(timeOut),
  off_why: v.nullable(v.picklist(offReasons)),
  /** It has asked for nothing until then. */
  rest_until: v.nullable(timeOut),
  waiting: v.number(),
  given_up: v.number(),
  last_done_at: v.nullable(timeOut),
});

const ask = {
  url: v.pipe(text(500, 8), v.regex(webAddress)),
  kinds: v.pipe(
    v.array(v.picklist(webhookKinds)),
    v.minLength(1),
    v.maxLength(webhookKinds.length),
  ),
  event_id: v.nullable(text(100, 1)),
};

const about = {
  who: 'change_programs',
  refusals: ['address_not_found'],
} as const;

export const listProgramAddresses = endpoint('GET', '/api/admin/programs/addresses', {
  who: 'change_programs',
  summary: 'Addresses that are told what happens',
  reply: v.object({ items: v.array(address) }),
});

/** Only this answer has the `secret`. */
export const makeProgramAddress = endpoint('POST', '/api/admin/programs/addresses', {
  who: 'change_programs',
  sensitive: true,
  summary: 'Tell an address what happens',
  refusals: ['event_not_found', 'address_not_allowed'],
  body: v.object(ask),
  reply: v.object({ id: v.string(), secret: v.string() }),
});

export const changeProgramAddress = endpoint('PUT', '/api/admin/programs/addresses/:addressId', {
  ...about,
  sensitive: true,
  summary: 'Tell it of other things, or somewhere else',
  refusals: ['address_not_found', 'event_not_found', 'address_not_allowed'],
  body: v.object(ask),
});

export const deleteProgramAddress = endpoint('DELETE', '/api/admin/programs/addresses/:addressId', {
  ...about,
  summary: 'Tell it nothing any more; what was sent to it is forgotten',
});

export const switchProgramAddress = endpoint(
  'POST',
  '/api/admin/programs/addresses/:addressId/switch',
  {
    ...about,
    summary: 'Tell it nothing for a while, or everything again',
    body: v.object({ on: v.boolean() }),
  },
);

/** Only this answer has the `secret`; the former one signs beside it for a day. */
export const rotateProgramSecret = endpoint(
  'POST',
  '/api/admin/programs/addresses/:addressId/secret',
  {
    ...about,
    sensitive: true,
    summary: 'Give it a new secret',
    reply: v.object({ secret: v.string() }),
  },
);

export const pingProgramAddress = endpoint(
  'POST',
  '/api/admin/programs/addresses/:addressId/ping',
  {
    ...about,
    summary: 'Send it a message for a try',
    reply: v.object({ delivery_id: v.string() }),
  },
);

/** `answer`: the beginning of the last answer. `fault`: why there was none. */
const delivery = v.object({
  id: v.string(),
  address_id: v.string(),
  kind: v.picklist([...webhookKinds, 'ping']),
  body: v.string(),
  state: v.picklist(deliveryStates),
  created_at: timeOut,
  /** The time of the next try. */ run_at: v.nullable(timeOut),
  failures: v.number(),
  tried_at: v.nullable(timeOut),
  status: v.nullable(v.number()),
  answer: v.nullable(v.string()),
  fault: v.nullable(v.string()),
});

export const listProgramDeliveries = endpoint('GET', '/api/admin/programs/deliveries', {
  who: 'change_programs',
  summary: 'What was sent to other programs, the newest first',
  query: v.object({
    ...pageAsk,
    address_id: v.optional(text(40, 1)),
    state: v.optional(v.picklist(deliveryStates)),
  }),
  reply: v.object(pageOf(delivery)),
});

export const resendProgramDelivery = endpoint(
  'POST',
  '/api/admin/programs/deliveries/:deliveryId/resend',
  {
    who: 'change_programs',
    summary: 'Send it again, under the same id',
    refusals: ['delivery_not_found', 'delivery_under_way'],
  },
);
