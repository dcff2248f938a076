/** TanStack Query with the times of RULES W2, and useEndpoint() to read from the server. */
import { QueryClient, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { call, CallError, networkError } from './api.ts';

/**
 * RULES W2: fresh for 300 ms, kept for 2,000 ms, refetched on focus, two tries except without a
 * connection.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 300,
        gcTime: 2_000,
        refetchOnWindowFocus: true,
        // `failures` is the number of earlier failures, without the present one.
        retry: (failures, error) =>
          failures + 1 < 2 &&
          !(isSettled(error) || (error instanceof CallError && error.code === networkError)),
      },
    },
  });
}

/** A 4xx other than 429 stays the same when asked again. */
export function isSettled(error: unknown): boolean {
  return (
    error instanceof CallError &&
    typeof error.status === 'number' &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 429
  );
}

/** The query key, as in `invalidateQueries({ queryKey: keyOf(getOrder, { params }) })`. */
export function keyOf<const E extends EndpointShape>(endpoint: E, ask?: Asked<E>): unknown[] {
  return ask === undefined
    ? [endpoint.method, endpoint.path]
    : [endpoint.method, endpoint.path, ask];
}

/** Queries a GET endpoint, with a key made of endpoint and `ask`. */
export function useEndpoint<const E extends EndpointShape>(
  endpoint: E,
  ask: Asked<E>,
  options: Omit<UseQueryOptions<ReplyOf<E>, Error>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery<ReplyOf<E>, Error>({
    ...options,
    queryKey: keyOf(endpoint, ask),
    queryFn: ({ signal }) => call(endpoint, ask, { signal }),
  });
}
