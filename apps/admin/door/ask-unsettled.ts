/** The filter of all scans that wait for a decision, and their refresh after a decision. */
import { useQueryClient } from '@tanstack/react-query';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { listEntriesAgainst } from '#server/contract/door/against.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { keyOf } from '#apps/shared/query.ts';

/** The URL parameters that the three lists share. */
export interface UnsettledAsk {
  event_id?: string;
  q?: string;
  open?: '1';
}

/** A decision about one scan may change other scans and the numbers of open ones. */
export function useRefreshUnsettled(): () => void {
  const client = useQueryClient();
  return () => {
    for (const list of [listDoubts, listConflicts, listEntriesAgainst, listRecentAdmissions])
      void client.invalidateQueries({ queryKey: keyOf(list) });
  };
}
