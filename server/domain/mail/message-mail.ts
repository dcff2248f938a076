/**
 * The mail with the office's own words to a buyer, as plain paragraphs, and with the order that
 * it is about (Italian).
 */
import { formatLongDate } from '#server/domain/time/dates.ts';
import { isPersonName } from '#server/domain/order/holder.ts';
import { isolate } from '#server/domain/text/direction.ts';
import type { Block, MailBody } from './mail-body.ts';
import { fillIn, type Placeholder } from './message.ts';
import { helpWords } from '#server/domain/order/order-words.ts';

/** The orders of one buyer that the message is about; times in milliseconds, seats in words. */
export interface MessageFacts {
  buyer_name: string | null;
  orders: readonly {
    number: string;
    title: string;
    starts_at: number;
    seats: readonly string[];
    url: string;
  }[];
  organiser: { name: string; email: string | null; phone: string | null };
}

export function writeMessageMail(
  { subject, body }: { subject: string; body: string },
  facts: MessageFacts,
): MailBody {
  const words = wordsOf(facts);
  const { orders, organiser } = facts;
  return {
    subject: fillIn(subject, words)
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .slice(0, 250),
    blocks: [
      ...paragraphsOf(fillIn(body, words)),
      ...orders.map(({ number, url }): Block => ({
        kind: 'links',
        links: [{ label: `Il tuo ordine n. ${number}`, url }],
      })),
      {
        kind: 'note',
        lines: [
          'Comunicazione di servizio: la ricevi perché hai dei biglietti per questo spettacolo.',
          ...helpWords(organiser),
          organiser.name,
        ],
      },
    ],
  };
}

/**
 * The words for the placeholders, each once over all orders. A name that was typed at the till is
 * used only if it looks like one.
 */
function wordsOf({ buyer_name, orders }: MessageFacts): Record<Placeholder, string> {
  const name = buyer_name?.trim().replace(/\s+/g, ' ') ?? '';
  const each = (parts: readonly string[]) => [...new Set(parts)].join(' · ');
  return {
    nome: isPersonName(name) ? isolate(name) : 'gentile cliente',
    evento: each(orders.map(({ title }) => isolate(title))),
    data: each(orders.map(({ starts_at }) => formatLongDate(starts_at))),
    posti: each(orders.flatMap(({ seats }) => seats)),
    link: orders.map(({ url }) => url).join('\n'),
  };
}

/** An empty line separates paragraphs. */
function paragraphsOf(text: string): Block[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'lines', lines: part.split('\n') }));
}
