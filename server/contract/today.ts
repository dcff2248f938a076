/**
 * The office's first screen on the wire: today's events, today's sales, what waits, silent
 * phones, and the week to come.
 */
import * as v from 'valibot';
import { eventStatuses } from '#server/domain/event/event.ts';
import { firstSteps, stepStates } from '#server/domain/user/first-steps.ts';
import { endpoint, timeOut } from './endpoint.ts';
import { findings } from './health.ts';

const evening = v.object({
  id: v.string(),
  title: v.string(),
  starts_at: timeOut,
  doors_at: v.nullable(timeOut),
  status: v.picklist(eventStatuses),
  sold: v.number(),
  places: v.number(),
  inside: v.number(),
});
const sales = v.object({ orders: v.number(), tickets: v.number(), paid_cents: v.number() });
const waiting = v.object({ count: v.number(), oldest_at: v.nullable(timeOut) });

/**
 * Days are those of Rome. `tonight`: events that begin today; `week`: the seven days after it.
 * `today` are the confirmed orders since midnight, `before` those of the same weekday a week ago
 * until the same hour, in cents. `oldest_at` is the time of the oldest row: of a dispute its
 * opening, of `seals` the start of the first event. `mail.leaves` false: no mail server is set
 * up. `first_steps`: those of a new house that the caller's role can do, in their order; empty
 * once all are done. The first that is not done is `next`; `event_id`: the draft or rehearsal that
 * was begun for it.
 */
export const readToday = endpoint('GET', '/api/admin/today', {
  who: 'see_attention',
  summary: 'What an office wants to know first in the morning and before the doors open',
  reply: v.object({
    at: timeOut,
    tonight: v.array(evening),
    week: v.array(evening),
    sales: v.object({ today: sales, before: sales }),
    waiting: v.object({
      order: waiting,
      refund_request: waiting,
      refund: waiting,
      dispute: waiting,
      mail: waiting,
      break: waiting,
      seals: waiting,
    }),
    findings,
    first_steps: v.array(
      v.object({
        name: v.picklist(firstSteps),
        state: v.picklist(stepStates),
        event_id: v.nullable(v.string()),
      }),
    ),
    providers: v.array(
      v.object({ name: v.picklist(['stripe', 'seatsio', 'mail']), up: v.nullable(v.boolean()) }),
    ),
    mail: v.object({ leaves: v.boolean(), failed: v.number(), waiting: v.number() }),
  }),
});
