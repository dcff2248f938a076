/** Scans in doubt: what a phone was not allowed to do, each with the office's word on whether it counts. */
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { listRecentAdmissions } from '#server/contract/admissions.ts';
import { listConflicts } from '#server/contract/conflicts.ts';
import { listDoubts } from '#server/contract/doubts.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import textStyles from '#apps/admin/kit/text.module.css';
import { DoubtCard } from './doubt-card.tsx';
import styles from './conflicts.module.css';

interface DoubtsProps {
  event_id: string | undefined;
  /** Also those that were said not to count. */
  all: boolean;
  maySettle: boolean;
}

/** Nothing at all where nothing is in doubt: it is rare. */
export function Doubts({ event_id, all, maySettle }: DoubtsProps) {
  const client = useQueryClient();
  const doubts = useEndpoint(
    listDoubts,
    { query: { ...(event_id && { event_id }), ...(!all && { open: '1' }) } },
    { refetchInterval: 5_000, placeholderData: keepPreviousData },
  );
  const refresh = () => {
    for (const endpoint of [listDoubts, listConflicts, listRecentAdmissions])
      void client.invalidateQueries({ queryKey: keyOf(endpoint) });
  };
  return (
    <Loaded query={doubts}>
      {({ items }) =>
        items.length > 0 && (
          <section className={styles.doubts} aria-labelledby="doubts">
            <h2 id="doubts">Letture in dubbio</h2>
            <p className={textStyles.soft}>
              Il telefono non avrebbe dovuto farle: non contano finché l’ufficio non dice che
              valgono.
            </p>
            <ul className={styles.conflicts}>
              {items.map((doubt) => (
                <li key={doubt.admission_id}>
                  <DoubtCard doubt={doubt} maySettle={maySettle} onSettled={refresh} />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  );
}
