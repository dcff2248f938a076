/** Who is inside, on the wire, for the office's screens during an event. */
import * as v from 'valibot';
import { phoneStates } from '#server/domain/door/phone.ts';
import { endpoint, timeOut } from '#server/contract/endpoint.ts';

const figures = { inside: v.number(), entered: v.number(), sold: v.number(), places: v.number() };
const part = v.object({ name: v.string(), ...figures });

/**
 * `inside`: guests with a ticket, by the scans that have arrived; `people`: they and those without
 * one (`heads`). `most_people` is the most that can be true: up to `unsent` scans that let a guest
 * in and `unsent_heads` people counted by hand are still on phones, and `missing_scans` were made
 * but never arrived (with `missing_at_most` some of them perhaps at another event), but no more
 * guests than tickets. What silent phones did after their last contact is not in it. `licensed`:
 * how many people the drawing of the hall allows; null: it does not say. `by_gate`: how many went
 * in and out at the gate, `name` null for scans without a gate; `expected`: how many sold tickets
 * name that gate, null where none does. `phones`: all paired phones, and those revoked or newly
 * paired phones that still hold scans or whose scans have gaps; `queue_length` without what has
 * arrived since the phone told it. `stale`: the phone has something to send, or was silent for two
 * minutes (server/domain/door/presence.ts).
 */
export const readPresence = endpoint('GET', '/api/admin/events/:eventId/presence', {
  who: 'see_presence',
  refusals: ['event_not_found'],
  summary:
    'How many are inside, by gate, section and category, and what the phones have not told yet',
  reply: v.object({
    at: timeOut,
    ...figures,
    by_gate: v.array(
      v.object({
        name: v.nullable(v.string()),
        in: v.number(),
        out: v.number(),
        expected: v.nullable(v.number()),
      }),
    ),
    by_section: v.array(part),
    by_category: v.array(part),
    phones: v.array(
      v.object({
        phone_id: v.string(),
        name: v.string(),
        gate: v.nullable(v.string()),
        state: v.picklist(phoneStates),
        last_seen_at: v.nullable(timeOut),
        queue_length: v.nullable(v.number()),
        app_version: v.nullable(v.string()),
        stale: v.boolean(),
      }),
    ),
    unsent: v.number(),
    unsent_heads: v.number(),
    missing_scans: v.number(),
    missing_at_most: v.boolean(),
    heads: v.object({ inside: v.number(), in: v.number(), out: v.number() }),
    people: v.number(),
    most_people: v.number(),
    licensed: v.nullable(v.number()),
  }),
});
