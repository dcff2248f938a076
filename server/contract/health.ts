/**
 * The server's health on the wire, for the office; /healthz, /readyz and /metrics are not JSON
 * endpoints.
 */
import * as v from 'valibot';
import { findingStates } from '#server/domain/office/alert.ts';
import { endpoint, timeOut } from './endpoint.ts';

const time = v.nullable(timeOut);
const count = v.number();

/**
 * What is wrong with the house, in Italian, with what to do; names stay the same. `event_id`: the
 * event whose waiting room would help.
 */
export const findings = v.array(
  v.object({
    name: v.string(),
    state: v.picklist(findingStates),
    sentence: v.string(),
    mend: v.string(),
    event_id: v.optional(v.string()),
  }),
);

/**
 * `up` null: not checked since the process started. `silent_since`: the first payment whose
 * webhook from Stripe is missing. Waiting times are in milliseconds. `unbelieved_proxy`: the last
 * sender of a forwarded address that TRUST_PROXY does not name. `secrets_sealed`: SECRETS_KEY is
 * set. `leaves` false: no mail server is set up. `released`: the day of this version's release.
 * `processes`: the servers of this house; `beats` false: it has been silent for a minute.
 */
export const readHealth = endpoint('GET', '/api/admin/health', {
  who: 'see_health',
  summary: 'Providers, waiting work, mail and differences at a glance',
  reply: v.object({
    ready: v.boolean(),
    database: v.picklist(['sqlite', 'postgres']),
    checks: v.object({
      staying: v.boolean(),
      database: v.boolean(),
      migrated: v.boolean(),
      disk_free_bytes: v.nullable(v.number()),
      backlog_ms: v.number(),
      loop_p99_ms: v.number(),
    }),
    providers: v.array(
      v.object({
        name: v.picklist(['stripe', 'seatsio', 'mail']),
        up: v.nullable(v.boolean()),
        answered_at: time,
        silent_at: time,
        error: v.nullable(v.string()),
      }),
    ),
    webhook: v.object({ last_at: time, paid_since: count, silent_since: time }),
    backlog: v.object({ waiting: count, due: count, failing: count, oldest_due_at: time }),
    mails: v.object({
      leaves: v.boolean(),
      waiting: count,
      failed: count,
      oldest_waiting_at: time,
    }),
    attention: count,
    breaks: count,
    unbelieved_proxy: v.nullable(v.object({ peer: v.string(), at: timeOut })),
    secrets_sealed: v.boolean(),
    maintenance_since: time,
    findings,
    version: v.string(),
    released: v.string(),
    processes: v.array(
      v.object({
        version: v.string(),
        host: v.string(),
        pid: v.number(),
        started_at: timeOut,
        last_beat_at: timeOut,
        beats: v.boolean(),
      }),
    ),
    releases: v.array(v.object({ version: v.string(), first_started_at: timeOut })),
  }),
});

/**
 * `about`: what a `sample` concerns: ids, for a place its event and label, for a waiting job its
 * task and subject. There are at most 20 samples; `violations` counts up to 1,000.
 */
const invariants = v.object({
  broken: count,
  items: v.array(
    v.object({
      name: v.string(),
      words: v.string(),
      about: v.picklist([
        'order',
        'place',
        'refund',
        'mail',
        'phone',
        'task',
        'seal',
        'payout',
        'code',
        'event',
      ]),
      always: v.boolean(),
      violations: count,
      sample: v.array(v.string()),
      checked_at: time,
      broken_since: time,
    }),
  ),
});

export const readInvariants = endpoint('GET', '/api/admin/health/invariants', {
  who: 'see_health',
  summary: 'What the last run of the invariants found',
  reply: invariants,
});

export const checkInvariants = endpoint('POST', '/api/admin/health/invariants', {
  who: 'see_health',
  summary: 'Run the invariants now',
  reply: invariants,
});
