/** An event's seat map in seats.io's React component, used by all maps of the office. */
import { SeatsioSeatingChart } from '@seatsio/seatsio-react';
import type { ComponentProps } from 'react';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';

export type ChartProps = ComponentProps<typeof SeatsioSeatingChart>;
export type ObjectColor = NonNullable<ChartProps['objectColor']>;

type HallChartProps = Partial<ChartProps> & {
  of: {
    event: { seatsio_workspace_key: string; seatsio_event_key: string };
    chart: { script_url: string; region: string };
  };
  /** Shown if the map does not load. */
  advice: string;
  /** The element around the map and its spinner. */
  frame?: { className: string | undefined; label: string };
  /** A new number restarts the chart. */
  generation?: number;
};

/** Pass the same objects and functions each time: new ones would rebuild the chart. */
export function HallChart({ of, advice, frame, generation, ...more }: HallChartProps) {
  const { event, chart } = of;
  const region = regionOf(chart.region);
  const script = useChartScript(chart.script_url, region);
  if (script === 'failed')
    return <ErrorView text="La pianta dei posti non si è caricata." detail={advice} />;
  const inside =
    script === 'loading' ? (
      <Spinner text="Carico la pianta dei posti…" />
    ) : (
      <SeatsioSeatingChart
        {...more}
        key={generation}
        workspaceKey={event.seatsio_workspace_key}
        event={event.seatsio_event_key}
        region={region}
        chartJsUrl={chart.script_url}
        language="it"
        colorScheme="dark"
        showLegend={false}
      />
    );
  if (frame === undefined) return inside;
  return (
    <section className={frame.className} aria-label={frame.label}>
      {inside}
    </section>
  );
}
