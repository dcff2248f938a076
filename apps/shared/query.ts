/** TanStack Query with the times of RULES W2, and useEndpoint() to read server state. */
import { QueryClient, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { call, CallError, networkError } from './api.ts';

/**
 * RULES W2: fresh 300 ms, kept 2,000 ms, refetched on focus, two tries unless the network fails.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 300,
        gcTime: 2_000,
        refetchOnWindowFocus: true,
        // TanStack counts the failures before the one that has just happened.
        retry: (failures, error) =>
          failures + 1 < 2 &&
          !(isSettled(error) || (error instanceof CallError && error.code === networkError)),
      },
    },
  });
}

/** A clear 4xx will not change by asking again. */
export function isSettled(error: unknown): boolean {
  return (
    error instanceof CallError &&
    typeof error.status === 'number' &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 429
  );
}

/** The key of a question: `invalidateQueries({ queryKey: keyOf(getOrder, { params }) })`. */
export function keyOf<const E extends EndpointShape>(endpoint: E, ask?: Asked<E>): unknown[] {
  return ask === undefined
    ? [endpoint.method, endpoint.path]
    : [endpoint.method, endpoint.path, ask];
}

/** Asks a GET endpoint and keeps the answer under a key made of endpoint and ask. */
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
