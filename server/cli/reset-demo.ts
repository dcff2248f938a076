/** `reset-demo`: takes the demo out of the house and makes a fresh one, or none. */
import { listDemo } from '#db/event/events.ts';
import { resetDemo } from '#server/services/office/reset-demo.ts';
import { cliActor, readWords, type Command } from './command.ts';

export const resetDemoCommand: Command = {
  name: 'reset-demo',
  usage: ['reset-demo --yes [--empty]'],
  help: 'Toglie la dimostrazione con i suoi ordini e la rifà nuova; con --empty la toglie e basta.',
  more: [
    '  Tocca solo ciò che è segnato DEMO: date, ordini, biglietti, telefoni usati solo lì, venditore finto.',
    '  Gli spettacoli della casa e il Registro restano come sono. Con le chiavi vere toglie e basta.',
    '  A programma acceso la nuova compare da sola in pochi secondi; a programma spento, al prossimo avvio.',
  ],
  async run(words, io) {
    const options = { yes: { type: 'boolean' }, empty: { type: 'boolean' } } as const;
    const { values } = readWords(words, { options });
    const { ctx } = await io.open();
    const dates = await listDemo(ctx.db);
    const titles = dates.map(({ title }) => `«${title}»`).join(', ');
    if (values.yes !== true) {
      io.say(
        `Verrebbero tolti: ${titles || 'niente, la dimostrazione non c’è'}. Per farlo: reset-demo --yes`,
      );
      io.report({ ok: false, events: dates.map(({ id }) => id) });
      return 1;
    }
    // The fresh demo needs stand-ins for both vendors.
    const { stripe, seatsio } = ctx.standins;
    const fresh = values.empty !== true && stripe && seatsio;
    const { events, phones } = await resetDemo(ctx, { fresh, actor: cliActor });
    io.say(`Tolti: ${titles || 'niente'}${phones > 0 ? `; telefoni: ${phones}` : ''}.`);
    io.say(
      fresh
        ? 'Quella nuova compare da sola in pochi secondi, o al prossimo avvio.'
        : 'La casa resta senza dimostrazione.',
    );
    io.report({ ok: true, events: events.length, phones, fresh });
    return 0;
  },
};
