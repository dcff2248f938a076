/** `why`: explains what happened to a payment, from the database and, if given, the log. */
import { orderIdsOfAddress, orderIdsOfTime } from '#db/office/why.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { sayLine, whyOrder, type LogLine } from '#server/services/office/why.ts';
import { readWords, Refused, type Command } from './command.ts';
import { orderNamed } from './find.ts';
import { readLog } from './log-lines.ts';
import { readMoment } from './moment.ts';

const mostOrders = 20;
const aroundMs = 5 * 60_000;

export const whyCommand: Command = {
  name: 'why',
  usage: ['why NUMERO', 'why E-MAIL', 'why 21:03', 'why "2026-11-23 21:03"'],
  help: 'Racconta che cosa è successo a un pagamento.',
  more: [
    '  Con un’ora racconta gli ordini dei cinque minuti prima e dopo.',
    '  Con il registro racconta anche le richieste e i rifiuti:',
    '    journalctl -o cat -u botteghino | npm run -s admin -- why NUMERO',
    '    npm run admin -- why NUMERO --log FILE',
  ],
  async run(words, io) {
    const {
      positionals: [text = ''],
      values,
    } = readWords(words, {
      options: { log: { type: 'string' } },
      least: 1,
    });
    const { ctx } = await io.open();
    const log = await readLog(values.log ?? null);
    const found = await find(ctx, text);
    const around = found.at === null ? [] : othersAround(log, found.at);
    if (found.ids.length === 0 && around.length === 0)
      throw new Refused(`Di «${text}» non c’è traccia.`);
    const stories = await Promise.all(found.ids.map((id) => whyOrder(ctx, id, log)));
    for (const { summary, lines } of stories) {
      io.say(summary);
      if (lines[0] !== undefined) io.say(`  ${formatListDate(lines[0].at)}`);
      for (const line of lines) io.say(sayLine(line));
      io.say('');
    }
    if (around.length > 0) io.say('Altro, dal registro:');
    for (const line of around) io.say(sayLine(line));
    io.report({ ok: true, orders: stories, others: around });
    return 0;
  },
};

async function find(ctx: Ctx, text: string): Promise<{ ids: string[]; at: number | null }> {
  const at = readMoment(text, ctx.now());
  if (at !== null) {
    const span = { from: at - aroundMs, until: at + aroundMs, limit: mostOrders };
    return { ids: await orderIdsOfTime(ctx.db, span), at };
  }
  if (text.includes('@')) return { ids: await orderIdsOfAddress(ctx.db, text, mostOrders), at };
  return { ids: [(await orderNamed(ctx, text)).id], at };
}

/** The log lines around this time that name no order: refused webhooks, silent providers. */
function othersAround(log: readonly LogLine[], at: number): LogLine[] {
  return log.filter((line) => line.order === null && Math.abs(line.at - at) <= aroundMs);
}
