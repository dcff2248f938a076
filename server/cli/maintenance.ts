/** `maintenance`: closes the public site and the sale; the office and the door stay open. */
import { tellGap } from '#server/domain/office/restored.ts';
import { pausedGap } from '#server/services/kit/restored.ts';
import { maintenanceSince, setMaintenance } from '#server/services/site/maintenance.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { cliActor, Misused, readWords, Refused, type Command } from './command.ts';

export const maintenanceCommand: Command = {
  name: 'maintenance',
  usage: ['maintenance on', 'maintenance off [--yes]', 'maintenance'],
  help: 'Mette il sito in manutenzione: non si vende, ufficio e porta continuano.',
  more: [
    '  Vale per il sito e per la cassa, entro pochi secondi e anche dopo un riavvio.',
    '  Dopo un ripristino comincia da sola; per finirla serve --yes, quando i passi da fare sono fatti.',
    '  Chi sta già pagando può finire, e le pagine degli ordini restano aperte.',
  ],
  async run(words, io) {
    const { positionals, values } = readWords(words, {
      options: { yes: { type: 'boolean' } },
      least: 0,
      most: 1,
    });
    const [wish] = positionals;
    if (wish !== undefined && wish !== 'on' && wish !== 'off')
      throw new Misused(`La manutenzione è «on» oppure «off», non «${wish}».`);
    const { ctx } = await io.open();
    const gap = await pausedGap(ctx.db);
    const told = gap === null ? '' : ` Ripristinato da una copia. ${tellGap(gap, ctx.now())}`;
    if (wish === 'off' && gap !== null && values.yes !== true)
      throw new Refused(
        `${told.trim()} Quando è rimesso quello che manca: npm run admin -- maintenance off --yes`,
      );
    if (wish !== undefined) await setMaintenance(ctx, wish === 'on', cliActor);
    const since = await maintenanceSince(ctx);
    io.say(
      since === null
        ? 'Nessuna manutenzione: si vende.'
        : `In manutenzione da ${formatListDate(since)}: non si vende, ufficio e porta continuano.${told}`,
    );
    io.report({ ok: true, since: since === null ? null : new Date(since).toISOString() });
    return 0;
  },
};
