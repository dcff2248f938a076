/** Which orders of an evening are printed, and in which order. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readEventPaper } from '#server/contract/paper.ts';
import { foldText } from '#server/domain/text/search.ts';

export type PaperOrder = Pick<
  ReplyOf<typeof readEventPaper>['items'][number],
  'order_id' | 'number' | 'buyer_name' | 'tickets' | 'printed'
>;

/** `from` is the first number or name to print; empty: all. */
export interface PaperChoice {
  which: 'new' | 'all';
  order: 'number' | 'name';
  from: string;
}

/** When sorted by name, orders without a name come last. */
export function choosePaper(items: readonly PaperOrder[], choice: PaperChoice): PaperOrder[] {
  const keyOf = ({ number, buyer_name }: PaperOrder) =>
    choice.order === 'number' ? foldText(number) : `${foldName(buyer_name)}\n${foldText(number)}`;
  const from =
    choice.order === 'number' ? foldText(choice.from) : foldName(choice.from || null, '');
  return items
    .filter((item) => choice.which === 'all' || item.printed < item.tickets)
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => key >= from)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}

/** The last word comes first, because Italian lists are sorted by surname. */
function foldName(name: string | null, nobody = '\uffff'): string {
  if (name === null || name.trim() === '') return nobody;
  const words = foldText(name).split(' ');
  return [words.at(-1), ...words.slice(0, -1)].join(' ');
}

export function countTickets(orders: readonly PaperOrder[]): number {
  return orders.reduce((sum, { tickets }) => sum + tickets, 0);
}
