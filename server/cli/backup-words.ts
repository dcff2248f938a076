/** What the backup commands share: keys that open backups, and sizes and checks in words. */
import { readFile } from 'node:fs/promises';
import type { Config } from '#server/config.ts';
import { readSetting } from '#db/settings.ts';
import { noteVerified } from '#server/services/backup/keep.ts';
import type { VerifiedBackup } from '#server/services/backup/verify.ts';
import type { Opening } from '#server/adapters/backup-file.ts';
import { Refused, type CommandIo } from './command.ts';

/** `identity`: the path of an age file with secret keys, one per line. @throws Refused */
export async function openingOf(
  { backup: { seal, passphraseBefore } }: Pick<Config, 'backup'>,
  identity: string | undefined,
): Promise<Opening> {
  const passphrase = seal !== null && 'passphrase' in seal ? seal.passphrase : null;
  if (identity === undefined) return { passphrase, passphraseBefore, identities: [] };
  const text = await readFile(identity, 'utf8').catch(() => {
    throw new Refused(`Non riesco a leggere il file della chiave: ${identity}.`);
  });
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) throw new Refused(`In ${identity} non c’è nessuna chiave segreta.`);
  return { passphrase, passphraseBefore, identities };
}

/**
 * Lets Salute count a copy of this house that was verified by hand. A copy may also be verified
 * where there is no house, or its database does not answer.
 */
export async function countVerified(io: CommandIo, found: VerifiedBackup): Promise<void> {
  if (found.broken.length > 0) return;
  const built = await io.open().catch(() => null);
  if (built === null || (await readSetting(built.ctx.db, 'house')) !== found.house) return;
  await noteVerified(built.ctx, found);
  io.say('Salute la conta come verificata.');
}

export function formatSize(bytes: number): string {
  const megabytes = bytes / 1e6;
  return megabytes < 1
    ? `${Math.ceil(bytes / 1e3)} kB`
    : `${megabytes.toFixed(1).replace('.', ',')} MB`;
}

export function tellBroken(io: CommandIo, broken: readonly string[]): void {
  io.say(
    broken.length === 0
      ? 'Verificata: si apre, è intera e i conti tornano.'
      : `Si apre ed è intera, ma questi conti non tornano: ${broken.join(', ')}.`,
  );
}
