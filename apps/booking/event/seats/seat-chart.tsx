/**
 * The seating chart in seats.io's React component (RULES W4, S1); the server names the script,
 * ours or theirs.
 */
import { sayPrice } from '#apps/shared/format.ts';
import { SeatsioSeatingChart, type SeatingChart } from '@seatsio/seatsio-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { chartPricing } from '#server/domain/seat/chart-pricing.ts';
import type { SalesState } from '#server/domain/event/event.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import { awaitChart } from '#apps/booking/shell/calm.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { codesAtHand } from './codes-at-hand.ts';
import type { OpenedCode, SeatSelection, SelectionState } from './selection.ts';
import { sayWhole } from './whole-info.ts';
import { forgetWanted, wantedSeats } from '#apps/booking/order/open/wanted-seats.ts';
import styles from './seat-chart.module.css';

// Without it no chosen seat would be visible, so a failure to fetch it is shown.
const AfterChart = latePart(
  () => import('./after-chart.tsx').then((part) => part.AfterChart),
  () => <ErrorView text="La scelta dei posti non si è caricata." />,
);
// Fetched late, because few events need them.
const AskReminder = latePart(() =>
  import('#apps/booking/reminder/ask.tsx').then((part) => part.AskReminder),
);
const CodeField = latePart(
  () => import('./code-field.tsx').then((part) => part.CodeField),
  NoCodeField,
);

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

/** Stands in for a code field that failed to load, so that the chart does not wait for it. */
function NoCodeField({ onAsked }: { onAsked: () => void }) {
  useEffect(onAsked);
  return <ErrorView text="Il campo per i codici non si è caricato." />;
}

export function SeatChart(props: SeatChartProps) {
  const { event, sales, takes_code, conventions } = props.page;
  const sells = sales.state === 'open';
  const [hasCode] = useState(() => codesAtHand(event.id).codes.length > 0);
  const [isAsked, setAsked] = useState(false);
  const hasField = sells && (takes_code || hasCode || conventions.length > 0);
  const waits = sells && takes_code && hasCode && !isAsked;
  const opened = props.state.codes.find(({ found }) => found.rule === null)?.found ?? null;
  const [isDrawn, setDrawn] = useState(false);
  return (
    <>
      <Suspense>
        {sales.state === 'not_yet' && <AskReminder eventId={event.id} />}
        {hasField && <CodeField {...props} onAsked={() => setAsked(true)} />}
      </Suspense>
      {/* A Suspense of its own, because a part that loads hides everything in its Suspense. */}
      <Suspense>{isDrawn && <AfterChart {...props} />}</Suspense>
      <Chart {...props} opened={opened} waits={waits} onDrawn={setDrawn} />
    </>
  );
}

type Opened = OpenedCode['found'] | null;

/** New channels rebuild the chart, which then zooms to the seats that the code opens. */
function useChannels(opened: Opened, { callbacks }: SeatSelection, onDrawn: (drawn: true) => void) {
  const [calm] = useState(awaitChart);
  return useMemo(
    () => ({
      ...callbacks,
      ...(opened !== null && { channels: opened.channels }),
      onChartRendered: (chart: SeatingChart) => {
        callbacks.onChartRendered(chart);
        onDrawn(true);
        calm();
        if (opened !== null && opened.objects.length > 0)
          chart.zoomToObjects(opened.objects).catch(() => {});
      },
    }),
    [opened, callbacks, onDrawn, calm],
  );
}

function Chart({
  page,
  pricing,
  selection,
  state,
  opened,
  waits,
  holdToken,
  onDrawn,
}: SeatChartProps & { opened: Opened; waits: boolean; onDrawn: (drawn: true) => void }) {
  const { event, chart, sales } = page;
  const region = regionOf(chart.region);
  const script = useChartScript(chart.script_url, region);
  const { whole_objects } = page;
  const inEuros = useMemo(() => chartPricing(pricing, whole_objects), [pricing, whole_objects]);
  // These are chosen only on the first chart, and not again after a reload or a refusal.
  const [wanted] = useState(() => wantedSeats(page, selection.coming));
  useEffect(forgetWanted, []);
  const popoverInfo = useMemo(
    () => (whole_objects.length === 0 ? undefined : sayWhole(whole_objects, pricing)),
    [whole_objects, pricing],
  );
  const isReady = script === 'ready' && !state.destroyed && !waits;
  const channels = useChannels(opened, selection, onDrawn);
  return (
    <section className={`${styles.chart} no-print needs-script`} aria-label="Pianta dei posti">
      {!isReady && <Missing failed={script === 'failed'} leaves={state.destroyed} />}
      {isReady && (
        <SeatsioSeatingChart
          key={opened?.channels.join(',') ?? ''}
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
          popoverInfo={popoverInfo}
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

function Missing({ failed, leaves }: { failed: boolean; leaves: boolean }) {
  if (failed)
    return (
      <ErrorView
        text="La pianta dei posti non si è caricata."
        detail="Controlla la connessione e riprova."
      />
    );
  return (
    <Spinner text={leaves ? 'Ti portiamo al pagamento…' : 'Carichiamo la pianta dei posti…'} />
  );
}

function sessionOf(sale: SalesState, holdToken: string | undefined) {
  if (sale !== 'open') return 'none';
  return holdToken === undefined ? 'continue' : 'manual';
}

/** The chart gives prices in euros; RULES P2 wants "25,00 €" and "N/D". */
function formatPrice(euros: number | undefined): string {
  return sayPrice(
    typeof euros === 'number' && Number.isFinite(euros) ? Math.round(euros * 100) : null,
  );
}
