/** A hook that makes every open query ask the server again after a change. */
import { useQueryClient } from '@tanstack/react-query';

export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries();
  };
}
