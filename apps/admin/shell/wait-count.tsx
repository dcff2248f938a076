/** The small number beside an entry or tab. */
import { listEntriesAgainst } from '#server/contract/door/against.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { countAttention } from '#server/contract/office.ts';
import type { Right } from '#server/domain/user/rights.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { WaitingKind } from './navigation.ts';
import styles from './wait-count.module.css';

/** The right that is needed to read each count; an entry may be open without it. */
const counts: Record<WaitingKind, Right> = { attention: 'see_attention', conflicts: 'admit' };

export function WaitCount({ of }: { of: WaitingKind }) {
  if (!useMay(counts[of])) return null;
  return of === 'attention' ? <Attention /> : <Conflicts />;
}

function Attention() {
  const { data } = useEndpoint(countAttention, {}, { refetchInterval: 30_000 });
  return <Count count={data?.count} />;
}

/** Counts open conflicts, entries against the book and scans in doubt. */
function Conflicts() {
  const ask = { query: { open: '1', limit: '1' } } as const;
  const conflicts = useEndpoint(listConflicts, ask, { refetchInterval: 15_000 }).data;
  const doubts = useEndpoint(listDoubts, ask, { refetchInterval: 15_000 }).data;
  const against = useEndpoint(listEntriesAgainst, ask, { refetchInterval: 15_000 }).data;
  const open = [conflicts, doubts, against].reduce((sum, list) => sum + (list?.open ?? 0), 0);
  return <Count count={open} />;
}

function Count({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count}
      <span className="visually-hidden"> in attesa</span>
    </span>
  );
}
