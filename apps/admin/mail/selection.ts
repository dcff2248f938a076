/** The orders of a bulk act, from the address: chosen ones, or all that a filter finds. */
import { useSearchParams } from 'react-router-dom';
import type { Asked } from '#server/contract/endpoint.ts';
import type { previewMessage } from '#server/contract/messages.ts';
import { messageActs, type WrittenAct } from '#server/domain/mail/message.ts';

export type Selection = Omit<Asked<typeof previewMessage>['body'], 'act'>;
type Filter = NonNullable<Selection['filter']>;

const filterNames = ['q', 'event_id', 'state', 'money', 'attention', 'from', 'to'] as const;

/** Chosen ids replace the filter of the order list. */
export function writeAddress(act: WrittenAct, filter: object, ids: readonly string[]): string {
  const params = new URLSearchParams(
    ids.length > 0 ? { ids: ids.join(',') } : (filter as Record<string, string>),
  );
  params.set('act', act);
  return `/messages/new?${params.toString()}`;
}

export function useMessageSelection(): { act: WrittenAct; selection: Selection } {
  const [params] = useSearchParams();
  const act = messageActs.find((known) => known === params.get('act')) ?? 'message';
  const ids = (params.get('ids') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > 0) return { act, selection: { order_ids: ids } };
  const filter = Object.fromEntries(
    filterNames.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  ) as Filter;
  return { act, selection: { filter } };
}
