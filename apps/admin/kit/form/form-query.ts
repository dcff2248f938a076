/** Fetches a form's first values once, without the cache, which may be older than a save. */
import type { Asked, EndpointShape } from '#server/contract/endpoint.ts';
import { useEndpoint } from '#apps/shared/query.ts';

export function useFormQuery<const E extends EndpointShape>(endpoint: E, ask: Asked<E>) {
  const query = useEndpoint(endpoint, ask, {
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
  return { ...query, data: query.isFetchedAfterMount ? query.data : undefined };
}
