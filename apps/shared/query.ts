/**
 * TanStack Query with the times of RULES W2, and useEndpoint(): the only way an app reads server
 * state.
 */
import { QueryClient, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { call, CallError, networkError } from './api.ts';

/**
 * RULES W2: fresh 300 ms, kept 2,000 ms, refetched on focus, tried again while fewer than 2
 * attempts and no network-level error.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 300,
        gcTime: 2_000,
        refetchOnWindowFocus: true,
        // TanStack counts the failures before this one: with the attempt that has just failed it is
        // one more.
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

/**
 * The key of a question, for invalidating: `queryClient.invalidateQueries({ queryKey:
 * keyOf(getOrder, { params: { orderId } }) })`.
 */
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
