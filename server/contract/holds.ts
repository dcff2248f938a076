/** A visitor's hold on their seats, on the wire. */
import * as v from 'valibot';
import { endpoint, text } from './endpoint.ts';

/**
 * Our own call: more time for the seats of a hold token. The hold then ends `expires_in_seconds`
 * from now; `may_prolong` says whether it may be prolonged again. A hold that has much time left,
 * or was prolonged twice, stays as it is. Refusals: 409 hold_expired, 410 sale_closed or
 * event_cancelled.
 */
export const prolongHold = endpoint('POST', '/api/event/:eventId/hold/prolong', {
  who: 'public',
  limit: 'hold',
  refusals: [
    'event_not_found',
    'hold_expired',
    'sale_closed',
    'event_cancelled',
    'provider_silent',
  ],
  summary: 'Keep the held seats for longer',
  body: v.object({ hold_token: text(200, 1) }),
  reply: v.object({ expires_in_seconds: v.number(), may_prolong: v.boolean() }),
});
