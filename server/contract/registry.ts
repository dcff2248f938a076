/**
 * The Registro on the wire: who did what and when, and the seals that show that it was not
 * changed afterwards.
 */
import * as v from 'valibot';
import { auditActions } from '#server/domain/audit/audit-words.ts';
import { dayIn, endpoint, listAsk, pageOf, text, timeOut } from './endpoint.ts';

const time = v.nullable(timeOut);

/**
 * `actor`: `user:` and an id, `phone:` and an id, `visitor`, `stripe`, `system`. `from` and `to`
 * are days in Rome, both included. `q`: words that identify an order, an event, a person or a
 * phone, or any whole id.
 */
const filters = {
  q: listAsk.q,
  actor: v.optional(text(100)),
  action: v.optional(v.picklist(auditActions)),
  from: v.optional(dayIn),
  to: v.optional(dayIn),
};

const entry = v.object({
  id: v.string(),
  at: timeOut,
  actor: v.string(),
  /** The name of a person or a phone, otherwise as in `actor`. */
  actor_name: v.string(),
  action: v.string(),
  subject: v.object({
    id: v.string(),
    kind: v.nullable(v.picklist(['order', 'event', 'show', 'person', 'phone', 'shift'])),
    name: v.nullable(v.string()),
  }),
  detail: v.unknown(),
  /** The number of the seal over the entry; null: it has none yet. */
  seal: v.nullable(v.number()),
});

/** `people`: everyone who ever had an account, for the filter. */
export const listRegistry = endpoint('GET', '/api/admin/registry', {
  who: 'see_audit',
  summary: 'What happened, newest first: who, what, to whom',
  query: v.object({ ...listAsk, ...filters }),
  reply: v.object({
    ...pageOf(entry),
    people: v.array(v.object({ actor: v.string(), name: v.string() })),
  }),
});

export const exportRegistry = endpoint('GET', '/api/admin/registry/export.csv', {
  who: 'see_audit',
  work: 'registry_file',
  sensitive: true,
  limit: 'document',
  file: 'text/csv',
  summary: 'What happened as a file',
  query: v.object({ format: v.optional(v.picklist(['excel', 'plain'])), ...filters }),
});

/**
 * The result of the last hourly check; `checked_at` null: not checked yet. `whole_until`: when
 * the newest seal before the first broken one was made. `waiting`: entries under no seal yet. At
 * most 20 `broken` ones.
 */
export const readSeals = endpoint('GET', '/api/admin/registry/seals', {
  who: 'see_health',
  summary: 'Whether somebody has changed what happened',
  reply: v.object({
    checked_at: time,
    whole_until: time,
    seals: v.number(),
    last_hash: v.nullable(v.string()),
    broken: v.array(v.object({ n: v.number(), fault: v.string(), sealed_at: time })),
    waiting: v.number(),
    oldest_at: time,
  }),
});
