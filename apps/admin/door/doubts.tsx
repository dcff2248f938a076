/** Scans that a phone was not allowed to make; the office decides whether they count. */
import { listDoubts } from '#server/contract/door/doubts.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { DoubtCard } from './doubt-card.tsx';
import { useRefreshUnsettled, type UnsettledAsk } from './ask-unsettled.ts';
import styles from './conflicts.module.css';

interface DoubtsProps {
  query: UnsettledAsk;
  maySettle: boolean;
}

/** Draws nothing when there are no doubts, which is usual. */
export function Doubts({ query, maySettle }: DoubtsProps) {
  const refresh = useRefreshUnsettled();
  const pages = usePages(listDoubts, { query }, 5_000);
  return (
    <PagedList pages={pages}>
      {(rows) =>
        rows.length > 0 && (
          <section className={styles.doubts} aria-labelledby="doubts">
            <h2 id="doubts">Letture in dubbio</h2>
            <p className={textStyles.soft}>
              Il telefono non avrebbe dovuto farle: non contano finché l’ufficio non dice che
              valgono.
            </p>
            <ul className={styles.conflicts}>
              {rows.map((doubt) => (
                <li key={doubt.admission_id}>
                  <DoubtCard doubt={doubt} maySettle={maySettle} onSettled={refresh} />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </PagedList>
  );
}
