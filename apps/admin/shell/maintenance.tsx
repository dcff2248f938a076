/** The band over every screen that explains why nothing is sold: maintenance, or a restore. */
import { Link } from 'react-router-dom';
import { tellGap } from '#server/domain/office/restored.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useNow } from '#apps/admin/kit/clock.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { gapOf, useHouse } from './house.ts';

export function MaintenanceNotice() {
  const house = useHouse().data;
  const now = useNow(60_000);
  const mayMend = useMay('see_health');
  if (house === undefined || house.maintenance_since === null) return null;
  const gap = gapOf(house);
  if (gap === null)
    return (
      <Notice tone="warn" role="status">
        Manutenzione da {formatListDate(house.maintenance_since)}: il sito e la cassa non vendono,
        la porta funziona.
      </Notice>
    );
  return (
    <Notice as="div" tone="warn" role="status">
      <p>
        <b>Ripristinato da una copia: il sito e la cassa non vendono, la porta funziona.</b>{' '}
        {tellGap(gap, now)}
      </p>
      {mayMend && <Link to="/settings/restored">Prima di riprendere a vendere</Link>}
    </Notice>
  );
}
