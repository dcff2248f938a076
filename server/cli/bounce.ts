/**
 * `bounce FILE|-`: reads a notice that a mail was not delivered; a mail server can pipe the
 * sender's mailbox into it.
 */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { errors } from '#server/contract/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { takeBounce } from '#server/services/mail/bounces.ts';
import { cliActor, readWords, Refused, type Command } from './command.ts';

export const bounceCommand: Command = {
  name: 'bounce',
  usage: ['bounce FILE', 'bounce -'],
  help: 'Segna come respinta l’e-mail di cui parla un avviso di mancata consegna.',
  more: [
    '  FILE è l’avviso intero, come è arrivato alla casella del mittente (.eml); «-» lo legge da chi lo passa.',
    '  Un messaggio che non è un avviso, o che riguarda altro, non cambia nulla: l’esito resta 0,',
    '  perché un server di posta rimanderebbe indietro ogni lettera che qui non va bene.',
  ],
  async run(words, io) {
    const { positionals } = readWords(words, { least: 1 });
    const [file = ''] = positionals;
    const raw = file === '-' ? await buffer(process.stdin) : await readWhole(file);
    const { ctx } = await io.open();
    try {
      const { order_number, ...noted } = await takeBounce(ctx, raw, cliActor);
      const whose = order_number === null ? 'senza ordine' : `dell’ordine ${order_number}`;
      io.say(noted.repeated ? `Era già noto: e-mail ${whose}.` : `Respinta: e-mail ${whose}.`);
      io.report({ ok: true, noted: true, order_number, ...noted });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      io.say(errors[error.code].message);
      io.report({ ok: true, noted: false, code: error.code });
    }
    return 0;
  },
};

function readWhole(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new Refused(`Non riesco a leggere il file dell’avviso: ${file}.`);
  });
}
