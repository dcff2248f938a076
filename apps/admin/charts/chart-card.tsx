/** One chart of the list: its picture, its places, where it is used, and a link to draw it. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listCharts } from '#server/contract/charts.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { chartStatusWords } from '#apps/admin/kit/words.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { ExportButton } from './export-button.tsx';
import { chartPath, drawPath } from './links.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './charts.module.css';

export type Chart = ReplyOf<typeof listCharts>['items'][number];

/** `own`: the chart is on our own server, where it can be drawn. */
export function ChartCard({ chart, own }: { chart: Chart; own: boolean }) {
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
        <h2>
          {own ? (
            <Link className={textStyles.link} to={chartPath(chart.key)}>
              {chart.name}
            </Link>
          ) : (
            chart.name
          )}
        </h2>
        <p className={textStyles.soft}>
          {chart.places === null
            ? 'Posti non contati'
            : formatCount(chart.places, 'posto', 'posti')}
        </p>
        <p className={textStyles.soft}>{usedWords(chart.used)}</p>
        <p>
          <code>{chart.key}</code>
        </p>
        <StateBadge {...chartStatusWords[chart.status]} />
        <div className={styles.acts}>
          {own ? (
            <Link
              className={`ui-button ${buttonStyles.small}`}
              to={drawPath(chart.key)}
              aria-label={`Disegna ${chart.name}`}
            >
              <Icon name="edit" size={16} /> Disegna
            </Link>
          ) : (
            <ExportButton chart={chart} />
          )}
        </div>
      </div>
    </li>
  );
}

/** As in "Due eventi in arrivo, 14 in tutto." */
export function usedWords({ events, coming }: Chart['used']): string {
  if (events === 0) return 'Nessun evento';
  const all = formatCount(events, 'evento', 'eventi');
  return coming === 0 ? `${all}, nessuno in arrivo` : `${all}, ${coming} in arrivo`;
}
