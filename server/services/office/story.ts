/** An order's history in plain sentences, oldest first, for the command line. */
import { exchangesOf } from '#db/order/exchanges.ts';
import { readOrderFile } from '#db/order/order-file.ts';
import type { OrderRow } from '#db/rows.ts';
import { actionName } from '#server/domain/audit/audit-words.ts';
import { declineWords } from '#server/domain/payment/decline.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { endReasonNames, methodName } from '#server/domain/order/order-words.ts';
import type { Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { timelineOf, type Entry } from './timeline.ts';

export interface StoryLine {
  /** Epoch milliseconds. */ at: number;
  text: string;
}

/** The lines, oldest first. */
export async function storyOf(ctx: Ctx, order: OrderRow): Promise<StoryLine[]> {
  const timeline = timelineOf(
    order,
    await readOrderFile(ctx.db, order.id),
    await exchangesOf(ctx.db, order.id),
  ).toReversed();
  const nameOf = await namesOf(
    ctx.db,
    timeline.map(({ actor }) => actor),
  );
  return timeline.map((entry) => ({
    at: entry.at,
    text: `${sentenceOf(entry)}${byWhom(entry.actor, nameOf(entry.actor))}`,
  }));
}

const others: Record<string, string> = { cli: 'riga di comando', visitor: 'acquirente' };

/** Who acted; acts of the server and of Stripe need no name. */
function byWhom(actor: string, name: string): string {
  if (actor === 'system' || actor === 'stripe') return '';
  return ` (${others[actor] ?? name})`;
}

type Facts = Record<string, unknown>;

const sentences: Record<string, (facts: Facts) => string> = {
  checkout_opened: () => 'Pagamento online aperto',
  payment_received: (facts) => `Pagamento ricevuto: ${sumOf(facts)}${methodOf(facts)}`,
  payment_declined: (facts) =>
    `Pagamento di ${sumOf(facts)} rifiutato: ${declineWords(String(facts['code']))}`,
  exchange_into: ({ number }) => `Al posto di biglietti dell’ordine ${String(number)}`,
  mail_sent: () => 'E-mail inviata',
  mail_waiting: () => 'E-mail in partenza',
  mail_failed: () => 'E-mail non inviata',
  mail_dropped: () => 'E-mail non più utile',
  mail_kept: () => 'E-mail non spedita: la posta non è configurata',
  break_found: () => 'Differenza trovata con Stripe o con la pianta',
  scanned: (facts) => `Biglietto letto alla porta: ${String(facts['seat'])}`,
  order_deleted: ({ reason }) => `Ordine annullato e posti liberati: ${reasonOf(reason)}`,
};

function sentenceOf({ action, detail }: Entry): string {
  const facts = typeof detail === 'object' && detail !== null ? (detail as Facts) : {};
  const sentence = sentences[action]?.(facts);
  if (sentence !== undefined) return sentence;
  const sum = sumOf(facts);
  return sum === '' ? actionName(action) : `${actionName(action)}: ${sum}`;
}

function sumOf({ amount_cents }: Facts): string {
  return typeof amount_cents === 'number' ? formatEuro(amount_cents) : '';
}

function methodOf({ method }: Facts): string {
  return typeof method === 'string' ? `, ${methodName(method).toLowerCase()}` : '';
}

function reasonOf(reason: unknown): string {
  return Object.entries(endReasonNames).find(([name]) => name === reason)?.[1] ?? String(reason);
}
