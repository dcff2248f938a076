/** The live seat map of the till: the same chart as the event page's, which holds what is chosen. */
import { SeatsioSeatingChart } from '@seatsio/seatsio-react';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import type { Till } from './basket.ts';
import type { TillChart } from './use-till-chart.ts';
import styles from './till.module.css';

/** Made once: another object would build the chart anew. */
const colors = { colorSelected: '#4f8ef7' };

interface TillMapProps {
  till: Till;
  map: TillChart;
  mostSeats: number;
}

export function TillMap({ till, map, mostSeats }: TillMapProps) {
  const { event, chart } = till;
  const region = regionOf(chart.region);
  const script = useChartScript(chart.script_url, region);
  if (script === 'failed')
    return (
      <ErrorView
        text="La pianta dei posti non si è caricata."
        detail="Controlla la connessione e riprova."
      />
    );
  return (
    <section className={styles.map} aria-label="Pianta dei posti">
      {script === 'loading' && <Spinner text="Carico la pianta dei posti…" />}
      {script === 'ready' && (
        <SeatsioSeatingChart
          key={map.generation}
          {...map.callbacks}
          workspaceKey={event.seatsio_workspace_key}
          event={event.seatsio_event_key}
          region={region}
          chartJsUrl={chart.script_url}
          mode="normal"
          session="continue"
          language="it"
          colorScheme="dark"
          colors={colors}
          showLegend={false}
          showMinimap={false}
          maxSelectedObjects={mostSeats}
        />
      )}
    </section>
  );
}
