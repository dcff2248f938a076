/**
 * The server's own work, on the wire: waiting jobs, Stripe's webhooks, and the keys that both
 * need.
 */
import * as v from 'valibot';
import { endpoint, pageAsk, pageOf, timeOut, trimmed } from './endpoint.ts';

const time = v.nullable(timeOut);

/**
 * The next job first. `tries`: how often the job was tried since its last success. `error`: the
 * message of the last failed try; null: none has failed. `about`: the order, event or mail that
 * the job is for, if any. `optional`: the job may be cancelled.
 */
export const listJobs = endpoint('GET', '/api/admin/jobs', {
  who: 'see_health',
  summary: 'Work that waits, with what went wrong',
  query: v.object({ ...pageAsk, failing: v.optional(v.literal('true')) }),
  reply: v.object(
    pageOf(
      v.object({
        job_id: v.string(),
        task: v.string(),
        subject: v.string(),
        about: v.nullable(
          v.object({
            kind: v.picklist(['order', 'event', 'mail']),
            id: v.string(),
            name: v.string(),
          }),
        ),
        next_at: timeOut,
        under_way: v.boolean(),
        tries: v.number(),
        error: v.nullable(v.string()),
        optional: v.boolean(),
      }),
    ),
  ),
});

export const hurryJob = endpoint('POST', '/api/admin/jobs/:jobId/retry', {
  who: 'change_jobs',
  refusals: ['job_not_found', 'job_under_way'],
  summary: 'Do this work now',
});

/**
 * Only a mail, a print or a message about a changed event can be cancelled, because money or
 * seats depend on all other jobs.
 */
export const abandonJob = endpoint('POST', '/api/admin/jobs/:jobId/abandon', {
  who: 'change_jobs',
  refusals: ['job_not_found', 'job_under_way', 'job_not_optional'],
  summary: 'Never do this work',
  body: v.object({ reason: trimmed(500, 5) }),
});

/**
 * Newest first. `outcome`: the objects that were read again after it. `tries`: how often Stripe
 * delivered it.
 */
export const listWebhooks = endpoint('GET', '/api/admin/webhooks', {
  who: 'see_health',
  summary: 'What Stripe told us',
  query: v.object(pageAsk),
  reply: v.object(
    pageOf(
      v.object({
        id: v.string(),
        type: v.string(),
        received_at: timeOut,
        outcome: v.picklist(['order', 'payment', 'payout', 'nothing']),
        order_id: v.nullable(v.string()),
        order_number: v.nullable(v.string()),
        tries: v.number(),
      }),
    ),
  ),
});

/**
 * `end`: the last four letters of a key; null where it is too short to show any. `used_at`: its
 * last success, `failed_at`: its last failure, since this process started.
 */
export const readKeys = endpoint('GET', '/api/admin/keys', {
  who: 'change_site',
  summary: 'The keys in use, without the keys',
  reply: v.object({
    items: v.array(
      v.object({
        name: v.picklist(['stripe', 'stripe_webhook', 'seatsio', 'smtp']),
        mode: v.picklist(['live', 'test', 'stand_in']),
        end: v.nullable(v.string()),
        used_at: time,
        failed_at: time,
      }),
    ),
  }),
});
