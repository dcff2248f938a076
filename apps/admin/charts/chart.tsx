/** One chart: its published version and its draft, where it is used, earlier versions, actions. */
import { Link, useParams } from 'react-router-dom';
import { readChart } from '#server/contract/charts.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { ChartActs } from './chart-acts.tsx';
import { usedWords } from './chart-card.tsx';
import type { ChartDetail } from './chart-detail.ts';
import { drawPath } from './links.ts';
import { Versions } from './versions.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import styles from './chart.module.css';

export function ChartScreen() {
  const { chartKey } = useParams() as { chartKey: string };
  const chart = useEndpoint(readChart, { params: { chartKey } }, { refetchInterval: 30_000 });
  return (
    <>
      <BackLink to="/settings/charts">Piante</BackLink>
      <Loaded query={chart}>{(data) => <LoadedChart key={data.key} chart={data} />}</Loaded>
    </>
  );
}

function LoadedChart({ chart }: { chart: ChartDetail }) {
  return (
    <>
      <PageTitle title={chart.name}>
        <Link className="ui-button ui-button-primary" to={drawPath(chart.key)}>
          <Icon name="edit" /> Disegna
        </Link>
      </PageTitle>
      <ChartActs chart={chart} />
      <div className={panelStyles.panels}>
        <State chart={chart} />
        <Used used={chart.used} />
        <Versions chart={chart} />
      </div>
    </>
  );
}

/** As in "ieri alle 18:02, Ada". */
function whenAndWho(at: string | null, by: string | null): string {
  return [at === null ? 'non si sa quando' : formatListDate(at), by].filter(Boolean).join(', ');
}

function State({ chart }: { chart: ChartDetail }) {
  return (
    <Panel aria-labelledby="chart-state">
      <h2 id="chart-state">Stato</h2>
      <Facts>
        <Fact name="Chiave">
          <code>{chart.key}</code>
        </Fact>
        <Fact name="Pubblicata">{whenAndWho(chart.published_at, chart.published_by)}</Fact>
        <Fact name="Bozza">
          {chart.is_draft ? whenAndWho(chart.saved_at, chart.saved_by) : 'nessuna'}
        </Fact>
        <Fact name="Posti presi">
          {chart.taken === 0
            ? 'nessuno'
            : `${chart.taken}: chi li ha li tiene, qualunque cosa si disegni`}
        </Fact>
        {chart.archived && (
          <Fact name="Archivio">
            <Badge tone="neutral">In archivio</Badge>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Used({ used }: Pick<ChartDetail, 'used'>) {
  return (
    <Panel aria-labelledby="chart-used">
      <h2 id="chart-used">Dove si usa</h2>
      <p>{usedWords(used)}</p>
      <ul className={styles.events}>
        {used.next.map(({ event_id, title, starts_at }) => (
          <li key={event_id}>
            <Link to={`/events/${encodeURIComponent(event_id)}`}>{title}</Link>,{' '}
            {formatListDate(starts_at)}
          </li>
        ))}
      </ul>
      {used.coming > used.next.length && (
        <p>e altri {formatCount(used.coming - used.next.length, 'evento', 'eventi')} in arrivo</p>
      )}
    </Panel>
  );
}
