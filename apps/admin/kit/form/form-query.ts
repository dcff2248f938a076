/** Asks for what a form begins with: never what a list has kept, which may be older than the last save, and once only, so that no later answer touches what is being typed. */
import type { Asked, EndpointShape } from '#server/contract/endpoint.ts';
import { useEndpoint } from '#apps/shared/query.ts';

export function useFormQuery<const E extends EndpointShape>(endpoint: E, ask: Asked<E>) {
  const query = useEndpoint(endpoint, ask, {
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
  return { ...query, data: query.isFetchedAfterMount ? query.data : undefined };
}
