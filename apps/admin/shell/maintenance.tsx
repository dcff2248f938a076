/** The band over every screen that explains why nothing is sold during maintenance. */
import { formatListDate } from '#apps/shared/format.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useHouse } from './house.ts';

export function MaintenanceNotice() {
  const since = useHouse().data?.maintenance_since ?? null;
  if (since === null) return null;
  return (
    <Notice tone="warn" role="status">
      Manutenzione da {formatListDate(since)}: il sito e la cassa non vendono, la porta funziona.
    </Notice>
  );
}
