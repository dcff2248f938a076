/**
 * `restore FILE`: restores a house from a backup into an empty place, then compares it with
 * Stripe and the seat map.
 */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createContext } from '#server/context.ts';
import { tellGap, type Gap } from '#server/domain/office/restored.ts';
import { makeQuietLog } from '#server/log.ts';
import { formatListDate, isoOf } from '#server/domain/time/dates.ts';
import { recoverOrders, type Recovery } from '#server/services/backup/recover.ts';
import { noteBroughtBack } from '#server/services/backup/missing.ts';
import { restoreBackup, type RestoredHouse } from '#server/services/backup/restore.ts';
import { repeatErasures } from '#server/services/person/erase.ts';
import { backupSettings } from '#server/services/backup/settings.ts';
import { openingOf } from './backup-words.ts';
import { Misused, readWords, Refused, type Command, type CommandIo } from './command.ts';
import { readMoment } from './moment.ts';

const typed = 'RIPRISTINA';

export const restoreCommand: Command = {
  name: 'restore',
  usage: ['restore FILE [--over] [--yes] [--identity FILE]', 'restore --since ORA'],
  help: 'Ripristina tutto da una copia, poi confronta con Stripe e con la pianta.',
  more: [
    '  Il programma deve essere fermo. DATA_DIR (o il database PostgreSQL) deve essere vuota.',
    '  --over  mette da parte quello che c’è, nella stessa cartella (solo SQLite). Chiede conferma.',
    '  --yes   non chiede conferma.',
    '  --since database o disco sono già stati rimessi a quell’ora con altri mezzi (21:03 o «2026-11-23 21:03»).',
    '  Una copia di prova accanto al botteghino vero non deve avere le sue chiavi di Stripe:',
    '  chiuderebbe i pagamenti che lì sono aperti.',
  ],
  async run(words, io) {
    const {
      positionals: [name = ''],
      values,
    } = readWords(words, {
      options: {
        over: { type: 'boolean' },
        yes: { type: 'boolean' },
        identity: { type: 'string' },
        since: { type: 'string' },
      },
      most: 1,
    });
    if (values.since !== undefined && name === '') return putBack(io, values.since);
    if (values.since !== undefined || name === '')
      throw new Misused('Serve il FILE di una copia, oppure --since con l’ora.');
    const { config } = io;
    const { house, folder } = backupSettings(config);
    if (values.over === true && values.yes !== true) await askFirst(house.dataDir);
    const restored = await restoreBackup({
      file: resolve(name),
      house,
      opening: await openingOf(config, values.identity),
      over: values.over === true,
      now: Date.now(),
      id: randomBytes(12).toString('base64url'),
      lists: [folder],
    });
    tellRestored(io, restored);
    return finish(io, { ...restored, made_at: isoOf(restored.made_at) });
  },
};

async function putBack(io: CommandIo, since: string): Promise<number> {
  const now = Date.now();
  const at = readMoment(since, now);
  if (at === null || at > now) throw new Misused(`Non capisco l’ora «${since}».`);
  const { house, folder } = backupSettings(io.config);
  const id = randomBytes(12).toString('base64url');
  const noted = await noteBroughtBack({ house, at, now, id, lists: [folder] });
  tellErasures(io, noted.erasures);
  return finish(io, noted);
}

/** Looks for what is online, and says what is missing for good. */
async function finish<T extends { gap: Gap }>(io: CommandIo, told: T): Promise<number> {
  const recovery = await recover(io);
  tellRecovery(io, recovery);
  tellPause(io, told.gap);
  const { from, to } = told.gap;
  io.report({ ok: true, ...told, gap: { from: isoOf(from), to: isoOf(to) }, recovery });
  return 0;
}

/** @throws Refused unless the person types the word */
async function askFirst(dataDir: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Refused('Con --over serve una conferma: scrivila a mano, o aggiungi --yes.');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(
    `Quello che c’è in ${dataDir} verrà messo da parte. Per continuare scrivi ${typed}: `,
  );
  lines.close();
  if (answer.trim() !== typed) throw new Refused('Non è stato cambiato niente.');
}

function tellRestored(
  io: CommandIo,
  { made_at, broken, left_out, erasures, aside, finished }: RestoredHouse,
): void {
  if (finished) io.say('Un ripristino era rimasto a metà: l’ho portato a termine.');
  io.say(`Ripristinato com’era alle ${formatListDate(made_at)}.`);
  if (aside !== null) io.say(`Quello di prima è in ${aside}.`);
  if (broken.length > 0)
    io.say(`Questi conti non tornavano già nella copia: ${broken.join(', ')}.`);
  if (left_out.length > 0)
    io.say(
      `Nella copia c’era altro, che Botteghino non conosce e non ha rimesso: ${left_out.join(', ')}.`,
    );
  tellErasures(io, erasures);
}

function tellErasures(io: CommandIo, erasures: number | null): void {
  if (erasures === null)
    io.say(
      'Accanto alla copia non c’è l’elenco delle cancellazioni: quelle chieste dopo la copia vanno ripetute in Impostazioni, Dati personali.',
    );
  else if (erasures > 0) io.say(`Cancellazioni di dati personali da ripetere: ${erasures}.`);
}

/**
 * Compares with the vendors before the sale opens again, so that no seat is sold that was paid
 * for after the backup. Null: a vendor did not answer.
 */
async function recover(io: CommandIo): Promise<Recovery | null> {
  const built = await createContext(io.config, { log: makeQuietLog() });
  try {
    const { signal } = new AbortController();
    const recovery = await recoverOrders(built.ctx, signal);
    await repeatErasures(built.ctx, signal);
    return recovery;
  } finally {
    await built.close();
  }
}

function tellRecovery(io: CommandIo, recovery: Recovery | null): void {
  if (recovery === null) {
    io.say(
      'Stripe o la pianta non rispondono: il confronto sarà fatto appena il programma è avviato.',
    );
    return;
  }
  const { orders, lost, differences } = recovery;
  io.say(`Ordini fatti dopo la copia e ritrovati su Stripe: ${orders.length}.`);
  for (const { number, state, amount_cents } of orders)
    io.say(
      `  ${number}  ${state === 'confirmed' ? 'confermato, biglietti rimandati' : 'chiuso'}  ${(amount_cents / 100).toFixed(2).replace('.', ',')} €`,
    );
  if (lost.length > 0) io.say(`Pagamenti su Stripe che non so ricostruire: ${lost.join(', ')}.`);
  if (differences === null)
    io.say('Stripe o la pianta non rispondono più: il confronto lo finisce il programma.');
  else if (differences === 0)
    io.say('Di quello che sta online non manca niente: Stripe e la pianta concordano.');
  else
    io.say(`Differenze con Stripe e con la pianta: ${differences}. Le trovi nella pagina Salute.`);
}

/** What no vendor has was sold, kept or moved without a trace here, so a person looks first. */
function tellPause(io: CommandIo, gap: Gap): void {
  io.say(`Attenzione. ${tellGap(gap, Date.now())}`);
  io.say(
    'Adesso avvia il programma: la vendita resta ferma sul sito e in cassa, la porta funziona.',
  );
  io.say('«Prima di riprendere a vendere», in cima all’ufficio, dice che cosa rimettere; poi');
  io.say('si riprende da lì, o con npm run admin -- maintenance off --yes');
}
