/** `backup FOLDER`: writes this whole house into one file there, also while the server runs. */
import { resolve } from 'node:path';
import { openableSeal } from '#server/adapters/backup-file.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { backupSettings } from '#server/services/backup/settings.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { countVerified, formatSize, tellBroken } from './backup-words.ts';
import { readWords, type Command } from './command.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage: ['backup CARTELLA'],
  help: 'Scrive in una cartella una copia di tutto, in un solo file, e la verifica.',
  more: [
    '  Si può fare mentre si vende. Con BACKUP_PASSPHRASE o BACKUP_RECIPIENT la copia è cifrata.',
  ],
  async run(words, io) {
    const [name = ''] = readWords(words, { least: 1 }).positionals;
    const { house, seal } = backupSettings(io.config);
    const { seal: openable, opening } = await openableSeal(seal);
    const folder = resolve(name);
    const now = Date.now();
    const made = await makeBackup({ house, folder, kind: 'by_hand', seal: openable, now });
    io.say(`Copia scritta: ${made.path} (${formatSize(made.size)}).`);
    const found = await verifyBackup(made.path, { scratch: house.dataDir, opening });
    const { broken } = found;
    tellBroken(io, broken);
    await countVerified(io, found);
    if (seal === null)
      io.say(
        'Attenzione: la copia non è cifrata. Chi ha il file legge tutto, anche i dati di chi ha comprato (BACKUP_PASSPHRASE la cifra).',
      );
    const at = new Date(made.made_at);
    io.say(`Contiene quello che c’era alle ${formatListDate(at.getTime())}.`);
    io.report({
      ok: true,
      path: made.path,
      size: made.size,
      made_at: at.toISOString(),
      encrypted: made.sealed,
      verified: broken.length === 0,
      broken,
      tables: made.tables,
    });
    return 0;
  },
};
