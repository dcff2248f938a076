/**
 * The screen of conflicts, tickets admitted twice, of guests without a valid ticket, and of scans
 * in doubt.
 */
import { listEntriesAgainst } from '#server/contract/door/against.ts';
import { listConflicts, settleConflict } from '#server/contract/door/conflicts.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { ConflictCard } from './conflict-card.tsx';
import { EntriesAgainst } from './entries-against.tsx';
import { Doubts } from './doubts.tsx';
import { EventChoice, useChosenEvent, useDoorEvents } from './event-choice.tsx';
import { useRefreshUnsettled, type UnsettledAsk } from './ask-unsettled.ts';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import {
  ListSearchField,
  NothingFound,
  useListSearch,
  type ListSearch,
} from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import styles from './conflicts.module.css';

export function ConflictsScreen() {
  const [event_id, choose] = useChosenEvent();
  const filters = useAddressFilters();
  const all = filters.oneOf('show', ['all']) === 'all';
  const events = useDoorEvents().data ?? [];
  const maySettle = useMay(settleConflict.who);
  const search = useListSearch();
  const query: UnsettledAsk = {
    ...search.query,
    ...(event_id && { event_id }),
    ...(!all && { open: '1' }),
  };

  return (
    <>
      <PageTitle title="Conflitti">
        <EventChoice events={events} value={event_id} all="Tutti gli eventi" onChoose={choose} />
        <Check
          label="Anche i conflitti risolti"
          checked={all}
          onChange={(on) => filters.set('show', on ? 'all' : '')}
        />
      </PageTitle>
      <Intro>
        Lo stesso biglietto ha fatto entrare due volte: di solito due telefoni senza rete. Vale il
        primo ingresso; l’altro va chiarito da una persona. Le letture restano tutte.
      </Intro>
      <ListSearchField
        search={search}
        label="Cerca per posto, evento, varco o telefono"
        hint="Posto, evento, varco o telefono"
      />
      <EntriesAgainst query={query} maySettle={maySettle} />
      <Doubts query={query} maySettle={maySettle} />
      <Conflicts query={query} search={search} all={all} maySettle={maySettle} />
    </>
  );
}

interface ConflictsProps {
  query: UnsettledAsk;
  search: ListSearch;
  /** Lists the settled conflicts too. */
  all: boolean;
  maySettle: boolean;
}

function Conflicts({ query, search, all, maySettle }: ConflictsProps) {
  const refresh = useRefreshUnsettled();
  const conflicts = usePages(listConflicts, { query }, 5_000);
  const isAbove = useCardsAbove(query);
  return (
    <PagedList pages={conflicts}>
      {(rows) => {
        if (rows.length === 0) return !isAbove && <NoConflicts search={search} all={all} />;
        return (
          <>
            {!maySettle && <Notice>Può rispondere solo l’ufficio.</Notice>}
            <ul className={styles.conflicts}>
              {rows.map((conflict) => (
                <li key={conflict.admission_id}>
                  <ConflictCard conflict={conflict} maySettle={maySettle} onSettled={refresh} />
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </PagedList>
  );
}

/** Cards of the other two lists, which ask again by themselves, stand above this one. */
function useCardsAbove(query: UnsettledAsk): boolean {
  const against = usePages(listEntriesAgainst, { query }, 0);
  const doubts = usePages(listDoubts, { query }, 0);
  return [against, doubts].some(({ data }) => data?.pages.some(({ items }) => items.length > 0));
}

function NoConflicts({ search, all }: { search: ListSearch; all: boolean }) {
  if (search.q !== '')
    return <NothingFound search={search} title="Nessun conflitto con queste parole." />;
  return (
    <Empty icon="check" title={all ? 'Nessun doppio ingresso.' : 'Nessun conflitto da chiarire.'}>
      <p>Se due telefoni fanno entrare lo stesso biglietto, lo trovi qui.</p>
    </Empty>
  );
}
