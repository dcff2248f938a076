/**
 * What happened to an order's payment as one story, oldest first, from acts, webhooks, failed
 * tries, waiting tasks and log lines.
 */
import { requireOrderRow } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { waitingWork, webhooksOfOrder } from '#db/office/why.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { formatTimeWithSeconds } from '#server/domain/time/dates.ts';
import { orderStateName } from '#server/domain/order/order-words.ts';
import type { Ctx } from '#server/services/context.ts';
import { logName } from '#server/services/kit/log-name.ts';
import { storyOf, type StoryLine } from './story.ts';

/** A line of the log in words. */
export interface LogLine extends StoryLine {
  /** The order's name in the log; null if the line is about no order. */ order: string | null;
}

interface OrderStory {
  order_id: string;
  number: string;
  /** The outcome in one sentence. */ summary: string;
  lines: StoryLine[];
}

export async function whyOrder(
  ctx: Ctx,
  order_id: string,
  log: readonly LogLine[],
): Promise<OrderStory> {
  const order = await requireOrderRow(ctx.db, order_id);
  const named = logName(order_id);
  const lines = [
    ...(await storyOf(ctx, order)),
    ...(await webhooksOf(ctx, order_id)),
    ...(await workOf(ctx, order)),
    ...log.filter((line) => line.order === named),
  ].toSorted((a, b) => a.at - b.at);
  return { order_id, number: order.number, summary: summaryOf(order), lines };
}

function summaryOf({ number, state, total_cents, needs_attention }: OrderRow): string {
  const waits = needs_attention === null ? '' : ', aspetta una decisione in «Da sistemare»';
  return `Ordine ${number}: ${orderStateName[state].toLowerCase()}, ${formatEuro(total_cents)}${waits}`;
}

async function webhooksOf(ctx: Ctx, order_id: string): Promise<StoryLine[]> {
  const events = await webhooksOfOrder(ctx.db, order_id);
  return events.map(({ received_at, type, tries }) => ({
    at: received_at,
    text: `Webhook di Stripe arrivato: ${type}${tries > 1 ? ` (${tries} volte)` : ''}`,
  }));
}

async function workOf(ctx: Ctx, order: OrderRow): Promise<StoryLine[]> {
  const rows = await waitingWork(ctx.db, order);
  return rows.map(({ run_at, task, last_error, attempts }) => ({
    at: run_at,
    text:
      last_error === null
        ? `In programma: ${workWords[task] ?? task}`
        : `Da riprovare (tentativi: ${attempts}): ${workWords[task] ?? task}. Motivo: ${last_error}`,
  }));
}

const workWords: Record<string, string> = {
  settle_order: 'guardare su Stripe se l’ordine è pagato',
  read_payment: 'rileggere il pagamento su Stripe',
  run_refund: 'fare il rimborso',
  send_mail: 'spedire l’e-mail',
  print: 'stampare',
};

export function sayLine({ at, text }: StoryLine): string {
  return `  ${formatTimeWithSeconds(at)}  ${text}`;
}
