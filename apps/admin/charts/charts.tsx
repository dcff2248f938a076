/** The charts that events can use, the archive, and the two ways to make a new one. */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { listCharts } from '#server/contract/charts.ts';
import { keyOf } from '#apps/shared/query.ts';
import { ChartCard, type Chart } from './chart-card.tsx';
import { ChartImport } from './import.tsx';
import { NewChart } from './new-chart.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import {
  ListSearchField,
  NothingFound,
  useListSearch,
  type ListSearch,
} from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import styles from './charts.module.css';

export function ChartsScreen() {
  const client = useQueryClient();
  const search = useListSearch();
  const { text, set } = useAddressFilters();
  const archived = text('archive') !== '';
  const query = { ...search.query, ...(archived ? { archived: 'true' as const } : {}) };
  const charts = usePages(listCharts, { query }, 60_000);
  const canImport = charts.data?.pages[0]?.can_import;
  const [opened, setOpened] = useState<'new' | 'import' | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  return (
    <>
      <PageTitle title="Piante">{canImport === true && <WaysIn onOpen={setOpened} />}</PageTitle>
      {canImport === false && (
        <Notice>
          Le piante di questo sito sono su seats.io, che non accetta disegni da fuori: si disegnano
          e si modificano sul loro sito. Da qui si esportano.
        </Notice>
      )}
      {added !== null && (
        <Notice aria-live="polite" tone="good">
          Pianta importata. La sua chiave è <code>{added}</code>.
        </Notice>
      )}
      <ListSearchField search={search} label="Cerca per nome" hint="Nome della pianta" />
      <Segments
        legend="Quali piante"
        value={archived ? 'archive' : 'current'}
        onChange={(value) => set('archive', value === 'archive' ? 'true' : '')}
        options={[
          ['current', 'Piante'],
          ['archive', 'Archivio'],
        ]}
      />
      <PagedList pages={charts}>
        {(rows) => (
          <ChartCards charts={rows} own={canImport === true} search={search} archived={archived} />
        )}
      </PagedList>
      {opened === 'new' && <NewChart onClose={() => setOpened(null)} />}
      {opened === 'import' && (
        <ChartImport
          onClose={() => setOpened(null)}
          onImported={(key) => {
            setOpened(null);
            setAdded(key);
            void client.invalidateQueries({ queryKey: keyOf(listCharts) });
          }}
        />
      )}
    </>
  );
}

function WaysIn({ onOpen }: { onOpen: (way: 'new' | 'import') => void }) {
  return (
    <>
      <Button onClick={() => onOpen('import')} icon="upload" label="Importa una pianta" />
      <Button look="primary" onClick={() => onOpen('new')} icon="plus" label="Nuova pianta" />
    </>
  );
}

interface ChartCardsProps {
  charts: readonly Chart[];
  own: boolean;
  search: ListSearch;
  archived: boolean;
}

function ChartCards({ charts, own, search, archived }: ChartCardsProps) {
  if (charts.length > 0)
    return (
      <ul className={styles.cards}>
        {charts.map((chart) => (
          <ChartCard key={chart.key} chart={chart} own={own} />
        ))}
      </ul>
    );
  if (search.q !== '')
    return <NothingFound search={search} title="Nessuna pianta con questo nome." />;
  if (archived) return <Empty icon="map" title="In archivio non c’è nessuna pianta." />;
  return (
    <Empty icon="map" title="Non c’è ancora nessuna pianta.">
      <p>Disegna la tua sala, o importala da un file o dal tuo account seats.io.</p>
    </Empty>
  );
}
