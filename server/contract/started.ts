/**
 * The endpoint of work that a person started and the server continues («Attività avviate»). The
 * machine's own queue is in jobs.ts.
 */
import * as v from 'valibot';
import {
  startedKinds,
  startedStates,
  startedTroubles,
  startedUnits,
} from '#server/domain/user/started.ts';
import { endpoint, timeOut } from './endpoint.ts';

const time = v.nullable(timeOut);

/**
 * What is under way or stopped comes first, then what began within a week, the newest first.
 * `at`: the server's time. `running`: how many are under way. `work_id`: the id of the message,
 * refund run, rehousing or postponement, else the work's own. `total` null: not known yet.
 * `failed`: how many of `done` did not succeed. `moved_at`: when it last went on, as far as known.
 * `begins_at`: when waiting work begins, or until when a change of hall can be called off. `said`:
 * why it failed, in Italian. `own`: the caller has started it. `stop`: the way in which it can be
 * stopped, each an endpoint of its own; `resume`: it can go on.
 */
export const listStarted = endpoint('GET', '/api/admin/started', {
  who: 'see_started',
  summary: 'What persons have started and the server carries on',
  reply: v.object({
    at: timeOut,
    running: v.number(),
    items: v.array(
      v.object({
        work_id: v.string(),
        kind: v.picklist(startedKinds),
        state: v.picklist(startedStates),
        title: v.nullable(v.string()),
        event_id: v.nullable(v.string()),
        event_title: v.nullable(v.string()),
        event_starts_at: time,
        actor: v.string(),
        own: v.boolean(),
        started_at: timeOut,
        begins_at: time,
        moved_at: time,
        ended_at: time,
        done: v.number(),
        total: v.nullable(v.number()),
        failed: v.number(),
        unit: v.nullable(v.picklist(startedUnits)),
        trouble: v.nullable(v.picklist(startedTroubles)),
        said: v.nullable(v.string()),
        stop: v.nullable(v.picklist(['withdraw', 'stop', 'call_off'])),
        resume: v.boolean(),
      }),
    ),
  }),
});

/** Only who has asked for the file may stop it; the browser then has an incomplete one. */
export const stopStarted = endpoint('POST', '/api/admin/started/:workId/stop', {
  who: 'see_started',
  refusals: ['work_not_found', 'work_not_running'],
  summary: 'Stop a file that is being made',
});
