/** `move-to postgres://…`: copies this house from SQLite to an empty PostgreSQL database. */
import { isPostgresAddress } from '#db/engine/connect.ts';
import { isWholeAddress, tellEncoding } from '#server/domain/text/whole-address.ts';
import { moveHouse } from '#server/services/backup/move.ts';
import { tellMoved, unmarkMoved } from '#server/services/backup/moved.ts';
import { backupSettings } from '#server/services/backup/settings.ts';
import { Misused, readWords, Refused, type Command, type CommandIo } from './command.ts';

export const moveTo: Command = {
  name: 'move-to',
  usage: ['move-to postgres://utente:password@host/database', 'move-to --back'],
  help: 'Porta tutto da SQLite a un database PostgreSQL vuoto e confronta i conti.',
  more: [
    '  Il programma deve essere fermo. Il file di SQLite resta com’è, e da allora non si apre più.',
    '  --back  riapre quel file: quello che è stato venduto dopo, su PostgreSQL, lì non c’è.',
  ],
  async run(words, io) {
    const { positionals, values } = readWords(words, {
      options: { back: { type: 'boolean' } },
      least: 0,
      most: 1,
    });
    const [to = ''] = positionals;
    if (values.back === true && to === '') return comeBack(io);
    if (!isPostgresAddress(to)) throw new Misused('L’indirizzo deve cominciare con postgres://.');
    if (!isWholeAddress(to)) throw new Misused(tellEncoding('L’indirizzo'));
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

async function comeBack({ config, say, report }: CommandIo): Promise<number> {
  const { database } = config;
  if (isPostgresAddress(database))
    throw new Refused('Togli prima DATABASE_URL: il file di SQLite è quello di DATA_DIR.');
  if ((await tellMoved(database)) === null)
    throw new Refused(`Da ${database} non è stato portato via niente.`);
  await unmarkMoved(database);
  say(`${database} si apre di nuovo, con quello che c’era quando l’hai portato su PostgreSQL.`);
  report({ ok: true, database });
  return 0;
}
