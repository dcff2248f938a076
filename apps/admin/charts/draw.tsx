/** The chart designer in the whole window; it gets a token instead of the secret key. */
import { SeatsioDesigner } from '@seatsio/seatsio-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { chartHolders, mintDesignerToken, readChart } from '#server/contract/charts.ts';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink } from '#apps/admin/kit/page/page-title.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { ChartDetail } from './chart-detail.ts';
import { readEvenings } from './evenings.ts';
import { chartPath } from './links.ts';
import { takeWaitingFile } from './waiting-file.ts';
import styles from './draw.module.css';

/** One request asks about at most this many orders. */
const mostHolders = 1_000;

export function DrawScreen() {
  const { chartKey } = useParams() as { chartKey: string };
  const chart = useEndpoint(
    readChart,
    { params: { chartKey } },
    { staleTime: Infinity, refetchOnWindowFocus: false },
  );
  return (
    <div className={styles.window}>
      {chart.data === undefined && <BackLink to="/settings/charts">Piante</BackLink>}
      <Loaded query={chart}>{(data) => <Drawing key={data.key} chart={data} />}</Loaded>
    </div>
  );
}

function Drawing({ chart }: { chart: ChartDetail }) {
  const region = regionOf(chart.chart.region);
  const script = useChartScript(chart.chart.script_url, region);
  const params = { chartKey: chart.key };
  const minted = useEndpoint(
    mintDesignerToken,
    { params },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  );
  if (script === 'failed')
    return (
      <ErrorView text="L’editor delle piante non si è caricato." detail="Ricarica la pagina." />
    );
  if (script === 'loading') return <Spinner text="Apro la pianta…" />;
  return <Loaded query={minted}>{({ token }) => <Designer chart={chart} token={token} />}</Loaded>;
}

interface DesignerProps {
  chart: ChartDetail;
  token: string;
}

/** Reads its props only once, because another chart or token would restart the designer. */
function Designer(props: DesignerProps) {
  const [{ chart, token }] = useState(props);
  const act = useAct();
  const navigate = useNavigate();
  const ours = {
    renewKey: async () => {
      const minted = await act(mintDesignerToken, { params: { chartKey: chart.key } });
      return minted.token;
    },
    tellHolders: async (ids: string[]) => {
      const order_ids = ids.slice(0, mostHolders);
      const { items } = await act(chartHolders, { body: { order_ids } });
      return Object.fromEntries(
        items.map(({ order_id, number, buyer }) => [
          order_id,
          {
            text: `Ordine ${number}${buyer === null ? '' : `, ${buyer}`}`,
            href: `/admin/orders/${encodeURIComponent(order_id)}`,
          },
        ]),
      );
    },
    tellEvenings: () => readEvenings(chart),
    wayOut: wayOutOf(chart),
    givenFile: () => takeWaitingFile(chart.key),
  };
  return (
    <SeatsioDesigner
      {...ours}
      chartJsUrl={chart.chart.script_url}
      region={regionOf(chart.chart.region)}
      secretKey={token}
      chartKey={chart.key}
      language="it"
      onExitRequested={() => void navigate(chartPath(chart.key))}
    />
  );
}

/** Links to the hall change of the only coming event, or to the list of events. */
function wayOutOf({ key, used }: ChartDetail): { text: string; href: string } {
  const [only] = used.next;
  if (!only)
    return {
      text: 'Duplica la pianta e usa la copia per i prossimi eventi',
      href: `/admin${chartPath(key)}`,
    };
  const href =
    used.coming === 1 ? `/events/${encodeURIComponent(only.event_id)}/seats/rehousing` : '/events';
  return { text: 'Cambio di sala', href: `/admin${href}` };
}
