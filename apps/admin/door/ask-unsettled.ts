/** The filter of conflicts and of scans in doubt, and their refresh after a decision. */
import { useQueryClient } from '@tanstack/react-query';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { keyOf } from '#apps/shared/query.ts';

/** The URL parameters that conflicts and scans in doubt share. */
export interface UnsettledAsk {
  event_id?: string;
  q?: string;
  open?: '1';
}

/** A decision about one scan may change other scans and the numbers of open ones. */
export function useRefreshUnsettled(): () => void {
  const client = useQueryClient();
  return () => {
    for (const list of [listDoubts, listConflicts, listRecentAdmissions])
      void client.invalidateQueries({ queryKey: keyOf(list) });
  };
}
