/** After something was changed: every screen that is open asks again. */
import { useQueryClient } from '@tanstack/react-query';

export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries();
  };
}
