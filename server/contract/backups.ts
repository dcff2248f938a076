/**
 * Backups on the wire: the last one, the last verified one, and a request for another. They stay
 * in their folder and cannot be downloaded.
 */
import * as v from 'valibot';
import { endpoint, timeOut } from './endpoint.ts';

const kept = v.nullable(
  v.object({ name: v.string(), size: v.number(), made_at: timeOut, sealed: v.boolean() }),
);

/**
 * `size` in bytes. `too_old`: no verified copy is younger than a day. `failed`: the last try, if
 * it failed. `beside_house`: BACKUP_FOLDER is not set. `encrypted`: new copies are encrypted.
 * `running`: a requested backup is not finished yet.
 */
const backups = v.object({
  running: v.boolean(),
  last: kept,
  verified: kept,
  failed: v.nullable(v.object({ at: timeOut, says: v.string() })),
  too_old: v.boolean(),
  folder: v.string(),
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
