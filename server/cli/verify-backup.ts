/**
 * `verify-backup FILE`: opens a backup in a temporary place, reads all of it and says whether it
 * could be restored.
 */
import { resolve } from 'node:path';
import { formatListDate } from '#server/domain/time/dates.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { countVerified, formatSize, openingOf, tellBroken } from './backup-words.ts';
import { readWords, type Command } from './command.ts';

export const verifyBackupCommand: Command = {
  name: 'verify-backup',
  usage: ['verify-backup FILE [--identity FILE]'],
  help: 'Apre una copia da parte, la legge tutta e dice se è buona. Nei dati non cambia niente.',
  async run(words, io) {
    const {
      positionals: [name = ''],
      values,
    } = readWords(words, {
      options: { identity: { type: 'string' } },
      least: 1,
    });
    const { config } = io;
    const found = await verifyBackup(resolve(name), {
      scratch: config.dataDir,
      opening: await openingOf(config, values.identity),
    });
    io.say(
      `Copia di ${formatListDate(found.made_at)}, ${formatSize(found.size)}, database ${found.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, versione ${found.product}.`,
    );
    const count = (table: string) => found.tables[table] ?? 0;
    io.say(
      `Contiene: ordini ${count('orders')}, biglietti ${count('tickets')}, eventi ${count('events')}.`,
    );
    tellBroken(io, found.broken);
    await countVerified(io, found);
    io.report({
      ok: found.broken.length === 0,
      ...found,
      made_at: new Date(found.made_at).toISOString(),
    });
    return found.broken.length === 0 ? 0 : 1;
  },
};
