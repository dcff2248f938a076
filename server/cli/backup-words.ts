/** What the backup commands share: keys that open backups, and sizes and checks in words. */
import { readFile } from 'node:fs/promises';
import type { Config } from '#server/config.ts';
import type { Opening } from '#server/adapters/backup-file.ts';
import { Refused, type CommandIo } from './command.ts';

/** `identity`: the path of an age file with secret keys, one per line. @throws Refused */
export async function openingOf(
  { backup: { seal } }: Pick<Config, 'backup'>,
  identity: string | undefined,
): Promise<Opening> {
  const passphrase = seal !== null && 'passphrase' in seal ? seal.passphrase : null;
  if (identity === undefined) return { passphrase, identities: [] };
  const text = await readFile(identity, 'utf8').catch(() => {
    throw new Refused(`Non riesco a leggere il file della chiave: ${identity}.`);
  });
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) throw new Refused(`In ${identity} non c’è nessuna chiave segreta.`);
  return { passphrase, identities };
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
