/**
 * `rotate tickets`: gives an event's codes a new secret, then gives its guests new codes, then
 * ends the old secret (RULES C4).
 */
import type { EventRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import {
  beginSecretChange,
  endSecretChange,
  reissueEarlier,
  secretChange,
  type SecretChange,
} from '#server/services/event/secrets.ts';
import { canUnseal } from '#server/services/kit/sealing.ts';
import { cliActor, Misused, readWords, Refused, type CommandIo } from './command.ts';

interface Asked {
  ctx: Ctx;
  event: EventRow;
  change: SecretChange;
  io: CommandIo;
}

/** The word that is typed after `rotate`. */
const subject = 'tickets';
const verb = `rotate ${subject}`;

export async function rotateTickets(io: CommandIo, words: string[]): Promise<void> {
  const options = { reissue: { type: 'boolean' }, end: { type: 'boolean' } } as const;
  const {
    positionals: [, id = ''],
    values,
  } = readWords(words, { options, least: 2 });
  if (values.reissue && values.end) throw new Misused('Prima --reissue, poi --end.');
  const { ctx } = await io.open();
  const event = await knownEvent(ctx, id);
  if (!canUnseal(event.code_secret))
    throw new Refused('I segreti sono sigillati con un’altra SECRETS_KEY: indica quella giusta.');
  const asked = { ctx, event, change: await secretChange(ctx, event.id), io };
  if (values.end) return end(asked);
  return values.reissue ? reissue(asked) : begin(asked);
}

async function begin({ ctx, event: { id, title }, io }: Asked): Promise<void> {
  const begun = await beginSecretChange(ctx, id, cliActor);
  const { tickets, unreachable } = await secretChange(ctx, id);
  if (!begun)
    throw new Refused(
      `Per «${title}» vale ancora anche il segreto di prima (biglietti: ${tickets}). Prima --reissue, poi --end.`,
    );
  io.say(`«${title}»: ogni codice nuovo nasce da ora da un altro segreto.`);
  io.say(`Quelli già emessi valgono come prima (biglietti: ${tickets}).`);
  io.say('I telefoni della porta prendono da soli la lista nuova, appena sono in rete. Uno che');
  io.say('non lo è più da prima dice NON VALIDO ai codici nuovi, e riconosce ancora quelli che');
  io.say('il segreto di prima può fare: mettilo in rete prima di aprire.');
  io.say('1. Fai ora una copia: quelle di prima non conoscono i codici nuovi.');
  io.say(`2. Se il segreto è stato rubato: ${verb} ${id} --reissue. Tutti ricevono un`);
  io.say('   codice nuovo per e-mail, e quello che hanno è SOSTITUITO.');
  if (unreachable.length > 0)
    io.say(
      `   Ordini senza indirizzo, i cui biglietti andranno ristampati: ${unreachable.length}.`,
    );
  io.say(`3. ${verb} ${id} --end toglie il segreto di prima.`);
  io.report({ ok: true, event_id: id, step: 'begun', tickets, unreachable });
}

/** The most order numbers that are printed; the office shows the others. */
const mostNumbers = 20;

async function reissue({ ctx, event: { id, title }, change, io }: Asked): Promise<void> {
  requireOpen(change, { id, title });
  if (change.over) throw new Refused(`«${title}» è finito: basta --end.`);
  const { tickets, mails, unreachable } = await reissueEarlier(ctx, id, cliActor);
  const { tickets: left, entered } = await secretChange(ctx, id);
  io.say(`Biglietti con un codice nuovo: ${tickets}. Quelli di prima sono SOSTITUITO.`);
  io.say(`E-mail da inviare: ${mails}. Partono poche per volta, con il programma in funzione.`);
  if (unreachable.length > 0) {
    const shown = unreachable.slice(0, mostNumbers).join(', ');
    const more = unreachable.length > mostNumbers ? ' …' : '';
    io.say(`Senza indirizzo, da ristampare in cassa: ${shown}${more}`);
  }
  if (entered > 0) io.say(`Già entrati, che tengono il loro codice: ${entered}.`);
  io.report({ ok: true, event_id: id, step: 'reissued', tickets, mails, unreachable, left });
}

async function end({ ctx, event: { id, title }, change, io }: Asked): Promise<void> {
  requireOpen(change, { id, title });
  if (!(await endSecretChange(ctx, id, cliActor))) {
    const { tickets, entered } = await secretChange(ctx, id);
    throw new Refused(
      `Biglietti che hanno ancora un codice di prima: ${tickets}, di cui già entrati: ${entered}. Per gli altri, --reissue; chi è entrato tiene il suo fino a 48 ore dopo l’inizio.`,
    );
  }
  io.say(`«${title}»: il segreto di prima non c’è più. I codici che ha fatto sono NON VALIDO.`);
  io.say('Resta nelle copie fatte finora: cancella quelle che non servono.');
  io.report({ ok: true, event_id: id, step: 'ended' });
}

function requireOpen({ open }: SecretChange, { id, title }: Pick<EventRow, 'id' | 'title'>): void {
  if (!open) throw new Refused(`«${title}» ha un solo segreto. Per cambiarlo: ${verb} ${id}.`);
}
