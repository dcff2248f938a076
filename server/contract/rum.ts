/** Page measurements on the wire (RULES W8): counters only, no address, no id, no cookie. */
import * as v from 'valibot';
import { eventName, vitals, visitEvents } from '#server/domain/site/visit.ts';
import { endpoint, text } from './endpoint.ts';

/**
 * `value` of a vital: milliseconds, for CLS a number without unit. Names that are not counted are
 * accepted and dropped.
 */
const event = v.object({
  name: v.pipe(text(64), v.regex(eventName)),
  value: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1e9))),
});

/** not_found where this server is not the configured host; not_allowed with another key. */
export const sendVisitEvents = endpoint('POST', '/api/rum/events', {
  who: 'public',
  limit: 'measure',
  summary: 'What a page measured of itself',
  body: v.object({
    client_key: text(200),
    page_url: text(2_000),
    events: v.pipe(v.array(event), v.maxLength(50)),
  }),
});

/**
 * Figures of the last `days`, including today. `visits` counts each event. In `vitals`, `p75` is
 * the upper edge of the step that three of four pages did not exceed; the other fields count good
 * and poor pages.
 */
export const readVisits = endpoint('GET', '/api/admin/health/visits', {
  who: 'see_reports',
  summary: 'Our own counters of visits and web vitals',
  reply: v.object({
    counting: v.boolean(),
    days: v.number(),
    visits: v.array(v.object({ name: v.picklist(visitEvents), n: v.number() })),
    vitals: v.array(
      v.object({
        name: v.picklist(vitals),
        n: v.number(),
        p75: v.nullable(v.number()),
        good: v.number(),
        poor: v.number(),
      }),
    ),
  }),
});
