/** The folder and encryption of backups, and the key that seals secrets in the database. */
import { resolve } from 'node:path';
import { isRecipient, type Sealing } from '#server/adapters/backup-file.ts';
import type { Keeping } from '#server/domain/backup.ts';
import type { Env } from './env.ts';

/**
 * SECRETS_KEY, made with `openssl rand -base64 32`. If it is lost, so are the codes of all sold
 * tickets. While it is being replaced, the old key follows after a comma.
 */
export function readSecretsKeys(env: Env, faults: string[]): Buffer[] {
  const text = env['SECRETS_KEY'] || null;
  if (text === null) return [];
  const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64'));
  if (keys.every((key) => key.length === 32)) return keys;
  faults.push(
    'SECRETS_KEY deve essere di 32 byte in base64 (openssl rand -base64 32); mentre la cambi, la nuova, una virgola e la vecchia.',
  );
  return [];
}

/** `folder`: null means inside the house, on the same disk. */
export interface BackupConfig {
  folder: string | null;
  seal: Sealing;
  /** Opens the copies from before a change of the passphrase. */
  passphraseBefore: string | null;
  keep: Keeping;
}

/**
 * BACKUP_KEEP: for how many hours, days and weeks one backup each is kept. BACKUP_RECIPIENT: a
 * public key (age1…); its secret key need not be here.
 */
export function readBackup(env: Env, faults: string[]): BackupConfig {
  const folder = env['BACKUP_FOLDER'] || null;
  const passphrase = env['BACKUP_PASSPHRASE'] || null;
  const recipient = env['BACKUP_RECIPIENT'] || null;
  if (passphrase !== null && passphrase.length < 12)
    faults.push('BACKUP_PASSPHRASE deve avere almeno 12 caratteri.');
  if (passphrase !== null && recipient !== null)
    faults.push('BACKUP_PASSPHRASE e BACKUP_RECIPIENT non vanno insieme: scegline una.');
  if (recipient !== null && !isRecipient(recipient))
    faults.push('BACKUP_RECIPIENT deve essere una chiave pubblica di age, che comincia con age1.');
  const [, ...numbers] =
    /^(\d{1,3})\/(\d{1,3})\/(\d{1,3})$/.exec(env['BACKUP_KEEP'] || '24/7/5') ?? [];
  const [hours = 0, days = 0, weeks = 0] = numbers.map(Number);
  if (hours + days + weeks === 0)
    faults.push(
      `BACKUP_KEEP dice di quante ore, giorni e settimane tenere una copia, come 24/7/5, non «${env['BACKUP_KEEP']}».`,
    );
  return {
    folder: folder === null ? null : resolve(folder),
    seal: sealingOf(passphrase, recipient),
    passphraseBefore: env['BACKUP_PASSPHRASE_BEFORE'] || null,
    keep: { hours, days, weeks },
  };
}

function sealingOf(passphrase: string | null, recipient: string | null): Sealing {
  if (passphrase !== null) return { passphrase };
  return recipient === null ? null : { recipient };
}
