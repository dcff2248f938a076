/**
 * The seating chart or its waiting room; their scripts are fetched in parallel with the page's own.
 */
import { Suspense, type ReactNode } from 'react';
import { latePart } from '#apps/shared/late-part.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import type { SeatChartProps } from './seat-chart.tsx';
import { seatsId } from './to-seats.tsx';
import styles from './seat-chart.module.css';

const Chart = latePart(
  () => import('./seat-chart.tsx').then((part) => part.SeatChart),
  MissingChart,
);
const Room = latePart(
  () => import('./queued-chart.tsx').then((part) => part.QueuedChart),
  MissingChart,
);

export function LateChart(props: SeatChartProps) {
  const inBrowser = useInBrowser();
  const Part = props.page.queue ? Room : Chart;
  const waiting = (
    <ChartPlace>
      <Spinner text="Carichiamo la pianta dei posti…" />
    </ChartPlace>
  );
  return (
    <div id={seatsId} tabIndex={-1}>
      {inBrowser ? (
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  );
}

function MissingChart() {
  return (
    <ChartPlace>
      <ErrorView text="La pianta dei posti non si è caricata." />
    </ChartPlace>
  );
}

function ChartPlace({ children }: { children: ReactNode }) {
  return (
    <section className={`${styles.chart} no-print needs-script`} aria-label="Pianta dei posti">
      {children}
    </section>
  );
}
