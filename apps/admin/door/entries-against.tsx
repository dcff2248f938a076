/** Guests who came in with an ended ticket, or whose ticket ended while they were inside. */
import { listEntriesAgainst } from '#server/contract/door/against.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { AgainstCard } from './against-card.tsx';
import { useRefreshUnsettled, type UnsettledAsk } from './ask-unsettled.ts';
import styles from './conflicts.module.css';

interface EntriesAgainstProps {
  query: UnsettledAsk;
  maySettle: boolean;
}

/** Draws nothing when there are none, which is usual. */
export function EntriesAgainst({ query, maySettle }: EntriesAgainstProps) {
  const refresh = useRefreshUnsettled();
  const pages = usePages(listEntriesAgainst, { query }, 5_000);
  return (
    <PagedList pages={pages}>
      {(rows) =>
        rows.length > 0 && (
          <section className={styles.doubts} aria-labelledby="against">
            <h2 id="against">Dentro senza un biglietto valido</h2>
            <p className={textStyles.soft}>
              Il biglietto non valeva più, o ha smesso di valere con la persona già dentro. Il posto
              non torna in vendita finché non decidi.
            </p>
            <ul className={styles.conflicts}>
              {rows.map((entry) => (
                <li key={entry.admission_id}>
                  <AgainstCard entry={entry} maySettle={maySettle} onSettled={refresh} />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </PagedList>
  );
}
