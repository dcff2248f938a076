/** `order`: shows an order's history, settles it with Stripe, or sends its tickets again. */
import { setTimeout as pause } from 'node:timers/promises';
import { requireEventRow } from '#db/event/events.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { formatListDate, formatTimeWithSeconds } from '#server/domain/time/dates.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { orderStateName } from '#server/domain/order/order-words.ts';
import type { Ctx } from '#server/services/context.ts';
import { resendTickets } from '#server/services/mail/mailbox.ts';
import { askToSettle, isSettling } from '#server/services/office/settle-now.ts';
import { storyOf } from '#server/services/office/story.ts';
import { cliActor, Misused, readWords, type Command, type CommandIo } from './command.ts';
import { orderNamed } from './find.ts';

type Act = (ctx: Ctx, order: OrderRow, io: CommandIo) => Promise<number>;

const acts: Record<string, Act> = { show, reconcile, resend };

export const orderCommand: Command = {
  name: 'order',
  usage: ['order show NUMERO', 'order reconcile NUMERO', 'order resend NUMERO'],
  help: 'Mostra un ordine, lo confronta di nuovo con Stripe, o ne rimanda i biglietti.',
  more: [
    '  NUMERO è il numero dell’ordine; va bene anche il codice del pagamento o della ricevuta.',
  ],
  async run(words, io) {
    const { positionals } = readWords(words, { least: 2 });
    const [name = '', number = ''] = positionals;
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (act === undefined) throw new Misused(`Un ordine non si può «${name}».`);
    const { ctx } = await io.open();
    return act(ctx, await orderNamed(ctx, number), io);
  },
};

async function show(ctx: Ctx, order: OrderRow, io: CommandIo): Promise<number> {
  const event = await requireEventRow(ctx.db, order.event_id);
  const story = await storyOf(ctx, order);
  io.say(
    `Ordine ${order.number} · ${orderStateName[order.state]} · ${formatEuro(order.total_cents)}`,
  );
  io.say(`${event.title}, ${formatListDate(event.starts_at)}`);
  for (const { at, text } of story)
    io.say(`  ${formatListDate(at)} (${formatTimeWithSeconds(at)})  ${text}`);
  io.report({
    ok: true,
    order_id: order.id,
    number: order.number,
    state: order.state,
    total_cents: order.total_cents,
    event_id: event.id,
    story: story.map(({ at, text }) => ({ at: new Date(at).toISOString(), text })),
  });
  return 0;
}

/** How long the command waits for the server, which settles the order as after a webhook. */
const waitMs = 15_000;
const lookEveryMs = 250;

async function reconcile(ctx: Ctx, order: OrderRow, io: CommandIo): Promise<number> {
  const asked = await askToSettle(ctx, order, cliActor);
  const until = ctx.now() + waitMs;
  while ((await isSettling(ctx, asked)) && ctx.now() < until) await pause(lookEveryMs);
  const isDone = !(await isSettling(ctx, asked));
  const { state } = await requireOrderRow(ctx.db, order.id);
  io.say(
    isDone
      ? `Fatto: l’ordine ${order.number} è «${orderStateName[state]}».`
      : 'Chiesto, ma nessun server lo ha ancora fatto: lo farà appena è in funzione.',
  );
  io.report({ ok: isDone, done: isDone, order_id: order.id, state });
  return isDone ? 0 : 1;
}

async function resend(ctx: Ctx, order: OrderRow, io: CommandIo): Promise<number> {
  const { mail_id } = await resendTickets(ctx, order.id, { actor: cliActor });
  io.say(
    `I biglietti dell’ordine ${order.number} partono di nuovo, all’indirizzo dell’acquirente.`,
  );
  io.report({ ok: true, order_id: order.id, mail_id });
  return 0;
}
