/**
 * The seating chart in seats.io's React component (RULES W4, S1); the server names the script,
 * ours or theirs.
 */
import { SeatsioSeatingChart, type SeatingChart } from '@seatsio/seatsio-react';
import { useEffect, useMemo, useState } from 'react';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { chartPricing } from '#server/domain/seat/chart-pricing.ts';
import type { SalesState } from '#server/domain/event/event.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import type { SeatSelection, SelectionState } from './selection.ts';
import './chosen-seats.tsx';
import '#apps/booking/event/hold-clock.tsx';
import { AskReminder } from '#apps/booking/reminder/ask.tsx';
import { CodeField } from './code-field.tsx';
import { useOpenedCode, type OpenedCode } from './opened-code.ts';
import { forgetWanted, wantedSeats } from '#apps/booking/order/open/wanted-seats.ts';
import styles from './seat-chart.module.css';

/** Made once, because new objects would rebuild the chart. */
const colors = { colorSelected: '#4f8ef7' };
const validators = [
  { type: 'noOrphanSeats' as const },
  { type: 'consecutiveSeats' as const },
  { type: 'minimumSelectedPlaces' as const, minimum: 1 },
];
/** A zoomed-out section shows how many places are left. */
const objectPopover = { showAvailability: true };

export interface SeatChartProps {
  page: EventReply;
  pricing: readonly PricedCategory[];
  selection: SeatSelection;
  state: SelectionState;
  /** Given to a visitor inside the waiting room; without it the chart makes its own. */
  holdToken?: string;
}

/** The reminder form is fetched with the chart, to keep the first script small. */
export function SeatChart(props: SeatChartProps) {
  const { event, sales, takes_code } = props.page;
  const sells = sales.state === 'open';
  const code = useOpenedCode(event.id, takes_code && sells, props.selection);
  return (
    <>
      {sales.state === 'not_yet' && <AskReminder eventId={event.id} />}
      {sells && <CodeField code={code} takesCode={takes_code} />}
      <Chart {...props} code={code} />
    </>
  );
}

/** New channels rebuild the chart, which then zooms to the seats that the code opens. */
function useChannels({ opened }: OpenedCode, { callbacks }: SeatSelection) {
  return useMemo(
    () => ({
      ...callbacks,
      ...(opened !== null && {
        channels: opened.channels,
        onChartRendered: (chart: SeatingChart) => {
          callbacks.onChartRendered(chart);
          if (opened.objects.length > 0) chart.zoomToObjects(opened.objects).catch(() => {});
        },
      }),
    }),
    [opened, callbacks],
  );
}

function Chart({
  page,
  pricing,
  selection,
  state,
  code,
  holdToken,
}: SeatChartProps & { code: OpenedCode }) {
  const { event, chart, sales } = page;
  const region = regionOf(chart.region);
  const script = useChartScript(chart.script_url, region);
  const inEuros = useMemo(() => chartPricing(pricing), [pricing]);
  // These are chosen only on the first chart, and not again after a reload or a refusal.
  const [wanted] = useState(() => wantedSeats(event.id));
  useEffect(forgetWanted, []);
  const isReady = script === 'ready' && !state.destroyed && !code.waiting;
  const channels = useChannels(code, selection);
  return (
    <section className={`${styles.chart} no-print needs-script`} aria-label="Pianta dei posti">
      {script === 'failed' && (
        <ErrorView
          text="La pianta dei posti non si è caricata."
          detail="Controlla la connessione e riprova."
        />
      )}
      {script !== 'failed' && !isReady && (
        <Spinner
          text={state.destroyed ? 'Ti portiamo al pagamento…' : 'Carichiamo la pianta dei posti…'}
        />
      )}
      {isReady && (
        <SeatsioSeatingChart
          key={code.opened?.channels.join(',') ?? ''}
          {...channels}
          workspaceKey={event.seatsio_workspace_key}
          event={event.seatsio_event_key}
          region={region}
          chartJsUrl={chart.script_url}
          mode={sales.state === 'open' ? 'normal' : 'static'}
          session={sessionOf(sales.state, holdToken)}
          holdToken={holdToken}
          language="it"
          colorScheme="dark"
          colors={colors}
          objectPopover={objectPopover}
          showLegend
          showMinimap
          pricing={inEuros}
          priceFormatter={formatPrice}
          objectWithoutPricingSelectable={false}
          selectionValidators={validators}
          maxSelectedObjects={sales.max_seats}
          selectedObjects={wanted}
        />
      )}
    </section>
  );
}

function sessionOf(sale: SalesState, holdToken: string | undefined) {
  if (sale !== 'open') return 'none';
  return holdToken === undefined ? 'continue' : 'manual';
}

/** The chart gives prices in euros; RULES P2 wants "25,00 €" and "N/D". */
function formatPrice(euros: number | undefined): string {
  return formatEuro(
    typeof euros === 'number' && Number.isFinite(euros) ? Math.round(euros * 100) : null,
  );
}
