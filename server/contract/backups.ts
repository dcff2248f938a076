/**
 * Backups on the wire: the last one, the last verified one, and a request for another. They stay
 * in their folder and cannot be downloaded.
 */
import * as v from 'valibot';
import { endpoint, timeOut } from './endpoint.ts';

const kept = {
  name: v.string(),
  size: v.number(),
  made_at: timeOut,
  sealed: v.boolean(),
};

const cost = v.object({ took_ms: v.number(), processor_ms: v.number() });

/**
 * `size` in bytes. `cost`: of making it; missing if the release before made it.
 * `too_old`: no verified copy is younger than a day. `loses_since`: what has happened since then
 * is in no copy; null: nothing has. `every_ms`: the time between two copies while something
 * happens. `files`: all copies together; null: none was made yet. `failed`: the last try, if it
 * failed. `folder_fault`: why the next one cannot be written, in Italian. `beside_house`: copies
 * are on the disk of the house. `encrypted`: new copies are encrypted. `running`: a requested
 * backup is not finished yet.
 */
const backups = v.object({
  running: v.boolean(),
  last: v.nullable(v.object({ ...kept, cost: v.optional(cost) })),
  verified: v.nullable(v.object(kept)),
  failed: v.nullable(v.object({ at: timeOut, says: v.string() })),
  too_old: v.boolean(),
  loses_since: v.nullable(timeOut),
  every_ms: v.number(),
  files: v.nullable(v.object({ count: v.number(), size: v.number() })),
  folder: v.string(),
  folder_fault: v.nullable(v.string()),
  beside_house: v.boolean(),
  encrypted: v.boolean(),
});

export const readBackups = endpoint('GET', '/api/admin/backups', {
  who: 'see_health',
  summary: 'The last backup and the last one that was verified',
  reply: backups,
});

/** The worker makes the backup; another call while it is being made changes nothing. */
export const makeBackup = endpoint('POST', '/api/admin/backups', {
  who: 'make_backups',
  summary: 'Have a backup made and verified now',
  reply: backups,
});
