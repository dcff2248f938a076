/** `event show`: shows an event in short: places, sales, guests inside. */
import { requireValue } from '#server/domain/require-value.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { eventStatusNames, salesStateNames } from '#server/domain/event/event-words.ts';
import { forOffice, knownEvent } from '#server/services/event/events.ts';
import { Misused, readWords, type Command } from './command.ts';

export const eventCommand: Command = {
  name: 'event',
  usage: ['event show CODICE'],
  help: 'Mostra una data: posti, vendite, persone dentro.',
  more: ['  CODICE è l’ultima parte dell’indirizzo della pagina dell’evento.'],
  async run(words, io) {
    const { positionals } = readWords(words, { least: 2 });
    const [act, id = ''] = positionals;
    if (act !== 'show') throw new Misused(`Un evento non si può «${act}».`);
    const { ctx } = await io.open();
    const [event] = await forOffice(ctx, [await knownEvent(ctx, id)]);
    const { title, starts_at, status, sales, counts } = requireValue(event, `event ${id}`);
    io.say(`${title}, ${formatListDate(starts_at)}`);
    io.say(`  Stato: ${eventStatusNames[status]}, vendite: ${salesStateNames[sales.state]}`);
    io.say(`  Posti: ${counts.places}, venduti: ${counts.sold}, dentro: ${counts.inside}`);
    io.report({
      ok: true,
      event_id: id,
      title,
      starts_at: new Date(starts_at).toISOString(),
      status,
      sales: sales.state,
      ...counts,
    });
    return 0;
  },
};
