/** Hooks that refetch every open query after a change. */
import { useQueryClient } from '@tanstack/react-query';
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import { useAct } from './session/session.ts';

export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries();
  };
}

/** As useAct(), for changes that other screens show, too. */
export function useChange() {
  const act = useAct();
  const refresh = useRefresh();
  return async function change<const E extends EndpointShape>(
    endpoint: E,
    ask: Asked<E>,
  ): Promise<ReplyOf<E>> {
    const reply = await act(endpoint, ask);
    refresh();
    return reply;
  };
}
