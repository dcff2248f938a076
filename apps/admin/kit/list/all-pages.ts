/** Fetches all pages of a list, for choices and figures that must be complete. */
import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { call } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';

export interface Page {
  items: unknown[];
  next_cursor: string | null;
}
/** Endpoints that reply with a list. */
export type Listing<E extends EndpointShape> = ReplyOf<E> extends Page ? E : never;

/** Fetches all pages; the result is the last reply with the items of all pages. */
export function useAllPages<const E extends EndpointShape>(
  endpoint: Listing<E>,
  {
    query = {},
    ...options
  }: Omit<UseQueryOptions<ReplyOf<E>, Error>, 'queryKey' | 'queryFn'> & {
    query?: Record<string, string>;
  } = {},
): UseQueryResult<ReplyOf<E>, Error> {
  return useQuery<ReplyOf<E>, Error>({
    ...options,
    queryKey: [...keyOf(endpoint), query, 'all'],
    queryFn: async ({ signal }) => {
      const items: unknown[] = [];
      for (let cursor: string | null = null; ;) {
        const ask: object = {
          query: { ...query, limit: '100', ...(cursor !== null && { cursor }) },
        };
        // E is generic, but every listing takes `limit` and `cursor`.
        const page = (await call(endpoint, ask as Asked<E>, { signal })) as Page;
        items.push(...page.items);
        cursor = page.next_cursor;
        if (cursor === null) return { ...page, items } as ReplyOf<E>;
      }
    },
  });
}
