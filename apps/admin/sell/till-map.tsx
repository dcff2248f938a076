/** The live seat map of the till: the same chart as the event page's, which holds what is chosen. */
import { useMemo, type ComponentProps } from 'react';
import { SeatsioSeatingChart } from '@seatsio/seatsio-react';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { channelColors, noChannel } from '#server/domain/contingent.ts';
import { Swatch } from '#apps/admin/seats/swatch.tsx';
import type { Till } from './basket.ts';
import type { TillChart } from './use-till-chart.ts';
import styles from './till.module.css';

/** Made once: another object would build the chart anew. */
const colors = { colorSelected: '#4f8ef7' };
type ChartProps = ComponentProps<typeof SeatsioSeatingChart>;
type ObjectColor = NonNullable<ChartProps['objectColor']>;

// It runs inside the vendor's frame and may use nothing but its arguments.
const objectColor: ObjectColor = (object, color, extra) =>
  ('status' in object && object.status === 'free' && extra?.colors?.[object.label]) || color;

/** Seats of contingents are sold here as all others are; their colour says whose they are. */
function useContingents({ contingents }: Till) {
  return useMemo(() => {
    if (contingents.length === 0) return {};
    const painted = contingents.flatMap(({ objects, color }) =>
      objects.map((object) => [object, channelColors[color]] as const),
    );
    return {
      channels: [noChannel, ...contingents.map(({ channel }) => channel)],
      extraConfig: { colors: Object.fromEntries(painted) },
      objectColor,
    };
  }, [contingents]);
}

interface TillMapProps {
  till: Till;
  map: TillChart;
  mostSeats: number;
}

export function TillMap({ till, map, mostSeats }: TillMapProps) {
  const { event, chart } = till;
  const region = regionOf(chart.region);
  const script = useChartScript(chart.script_url, region);
  const contingents = useContingents(till);
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
          {...contingents}
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

/** Under the map: which colour is whose. */
export function ContingentLegend({ till: { contingents } }: { till: Till }) {
  if (contingents.length === 0) return null;
  return (
    <ul className={styles.contingents} aria-label="Posti riservati">
      {contingents.map(({ channel, name, color }) => (
        <li key={channel}>
          <Swatch color={color} /> {name}
        </li>
      ))}
    </ul>
  );
}
