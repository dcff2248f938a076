/** The list of charts that events can use, and the import of a new one. */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listCharts } from '#server/contract/charts.ts';
import { formatCount } from '#apps/shared/format.ts';
import { keyOf } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { ChartImport } from './import.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import {
  ListSearchField,
  NothingFound,
  useListSearch,
  type ListSearch,
} from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { chartStatusWords } from '#apps/admin/kit/words.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './charts.module.css';

type Chart = ReplyOf<typeof listCharts>['items'][number];

export function ChartsScreen() {
  const client = useQueryClient();
  const search = useListSearch();
  const charts = usePages(listCharts, { query: search.query }, 60_000);
  const canImport = charts.data?.pages[0]?.can_import;
  const [importing, setImporting] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  return (
    <>
      <PageTitle title="Piante">
        {canImport === true && (
          <Button
            look="primary"
            onClick={() => setImporting(true)}
            icon="upload"
            label="Importa una pianta"
          />
        )}
      </PageTitle>
      {canImport === false && (
        <Notice>
          Le piante di questo sito sono su seats.io, che non accetta disegni da fuori: si disegnano
          e si modificano sul loro sito.
        </Notice>
      )}
      {added !== null && (
        <Notice aria-live="polite" tone="good">
          Pianta importata. La sua chiave è <code>{added}</code>.
        </Notice>
      )}
      <ListSearchField search={search} label="Cerca per nome" hint="Nome della pianta" />
      <PagedList pages={charts}>{(rows) => <ChartCards charts={rows} search={search} />}</PagedList>
      {importing && (
        <ChartImport
          onClose={() => setImporting(false)}
          onImported={(key) => {
            setImporting(false);
            setAdded(key);
            void client.invalidateQueries({ queryKey: keyOf(listCharts) });
          }}
        />
      )}
    </>
  );
}

function ChartCards({ charts, search }: { charts: readonly Chart[]; search: ListSearch }) {
  if (charts.length > 0)
    return (
      <ul className={styles.cards}>
        {charts.map((chart) => (
          <ChartCard key={chart.key} chart={chart} />
        ))}
      </ul>
    );
  return search.q !== '' ? (
    <NothingFound search={search} title="Nessuna pianta con questo nome." />
  ) : (
    <Empty icon="map" title="Non c’è ancora nessuna pianta.">
      <p>Importa il disegno della tua sala, da un file o dal tuo account seats.io.</p>
    </Empty>
  );
}

function ChartCard({ chart }: { chart: Chart }) {
  return (
    <li className={styles.card}>
      <span className={styles.picture}>
        {chart.thumbnail === null ? (
          <Icon name="map" size={40} />
        ) : (
          <img src={chart.thumbnail} alt="" />
        )}
      </span>
      <div className={styles.words}>
        <h2>{chart.name}</h2>
        <p className={textStyles.soft}>
          {chart.places === null
            ? 'Posti non contati'
            : formatCount(chart.places, 'posto', 'posti')}
        </p>
        <p>
          <code>{chart.key}</code>
        </p>
        <StateBadge {...chartStatusWords[chart.status]} />
      </div>
    </li>
  );
}
