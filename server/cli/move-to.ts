/** `move-to postgres://…`: copies this house from SQLite to an empty PostgreSQL database. */
import { isPostgresAddress } from '#db/engine/connect.ts';
import { moveHouse } from '#server/services/backup/move.ts';
import { backupSettings } from '#server/services/backup/settings.ts';
import { Misused, readWords, Refused, type Command } from './command.ts';

export const moveTo: Command = {
  name: 'move-to',
  usage: ['move-to postgres://utente:password@host/database'],
  help: 'Porta tutto da SQLite a un database PostgreSQL vuoto e confronta i conti.',
  more: ['  Il programma deve essere fermo. Il file di SQLite resta com’è.'],
  async run(words, io) {
    const [to = ''] = readWords(words, { least: 1 }).positionals;
    if (!isPostgresAddress(to)) throw new Misused('L’indirizzo deve cominciare con postgres://.');
    const { house } = backupSettings(io.config);
    if (isPostgresAddress(house.database))
      throw new Refused('Questo botteghino usa già PostgreSQL.');
    const { tables, broken } = await moveHouse(house, { to, now: Date.now() });
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
    io.say(
      `Trasferite ${Object.keys(tables).length} tabelle, ${rows} righe: i conti sono gli stessi.`,
    );
    if (broken.length > 0) io.say(`Non tornavano già prima: ${broken.join(', ')}.`);
    io.say('Adesso indica DATABASE_URL con questo indirizzo e avvia il programma.');
    io.report({ ok: true, tables, rows, broken });
    return 0;
  },
};
