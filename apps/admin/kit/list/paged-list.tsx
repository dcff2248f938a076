/** A list that is loaded page by page; while new filters load, the old rows stay. */
import type { ReactNode } from 'react';
import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { call } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import type { Listing, Page } from './all-pages.ts';
import tableStyles from './table.module.css';
import styles from './paged-list.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Pages<P> = UseInfiniteQueryResult<InfiniteData<P>, Error>;

/** Fetches a list page by page; `ask` says which list. */
export function usePages<const E extends EndpointShape>(
  endpoint: Listing<E>,
  ask: Asked<E>,
  refetchInterval: number,
): Pages<ReplyOf<E> & Page> {
  return useInfiniteQuery({
    queryKey: [...keyOf(endpoint, ask), 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const { query } = ask as { query?: object };
      const page = { limit: '50', ...(pageParam !== null && { cursor: pageParam }) };
      // E is generic, but every listing takes `limit` and `cursor`.
      return (await call(
        endpoint,
        { ...(ask as object), query: { ...query, ...page } } as Asked<E>,
        {
          signal,
        },
      )) as ReplyOf<E> & Page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

/** `children` gets the first page for its totals; `end` is the text below the last row. */
export function PagedList<P extends Page>({
  pages,
  end,
  children,
}: {
  pages: Pages<P>;
  end?: (rows: number) => string;
  children: (rows: P['items'], first: P) => ReactNode;
}) {
  return (
    <div
      aria-busy={pages.isPlaceholderData}
      className={joinClasses(tableStyles.outset, pages.isPlaceholderData && styles.waiting)}
    >
      <Loaded query={pages}>
        {(data) => {
          const rows = data.pages.flatMap((page) => page.items);
          return (
            <>
              {children(rows, requireValue(data.pages[0], 'page'))}
              {pages.hasNextPage && (
                <p className={styles.more}>
                  <AsyncButton
                    onClick={() => pages.fetchNextPage()}
                    busy={pages.isFetchingNextPage}
                  >
                    Carica altri
                  </AsyncButton>
                </p>
              )}
              {!pages.hasNextPage && end !== undefined && rows.length > 0 && (
                <p className={styles.more}>
                  <span className={textStyles.soft}>{end(rows.length)}</span>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
