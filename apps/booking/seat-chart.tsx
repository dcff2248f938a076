/** The seating chart through seats.io's React component (specification §2, §5): ours or theirs, whichever script the server names. */
import { SeatsioSeatingChart, type Region } from '@seatsio/seatsio-react';
import { useEffect, useMemo, useState } from 'react';
import { formatEuro } from '#apps/shared/format.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { chartPricing } from '#server/domain/pricing.ts';
import type { EventReply } from './replies.ts';
import type { SeatSelection, SelectionState } from './selection.ts';

/** The component never says that its script did not come, so the page asks first and gives up after this. */
const scriptPatienceMs = 20_000;

/** Made once: any change of these would build the chart anew. */
const colors = { colorSelected: '#4f8ef7' };
const validators = [{ type: 'noOrphanSeats' as const }, { type: 'consecutiveSeats' as const }, { type: 'minimumSelectedPlaces' as const, minimum: 1 }];

export function SeatChart({ page, selection, state }: { page: EventReply; selection: SeatSelection; state: SelectionState }) {
  const { event, prices, chart, sales } = page;
  const region = regionOf(chart.region);
  const script = useScript(chart.script_url.replace('{region}', region));
  const pricing = useMemo(() => chartPricing(event.attributes.seat_pricing, prices), [event.attributes.seat_pricing, prices]);
  return (
    <section className="chart" aria-label="Pianta dei posti">
      {script === 'failed' ? (
        <ErrorView text="La pianta dei posti non si è caricata." detail="Controlla la connessione e riprova." />
      ) : script === 'loading' || state.destroyed ? (
        <Spinner text={state.destroyed ? 'Ti portiamo al pagamento…' : 'Carichiamo la pianta dei posti…'} />
      ) : (
        <SeatsioSeatingChart
          {...selection.callbacks}
          workspaceKey={event.seatsio_workspace_key}
          event={event.seatsio_event_key}
          region={region}
          chartJsUrl={chart.script_url}
          mode={sales.state === 'open' ? 'normal' : 'static'}
          session={sales.state === 'open' ? 'continue' : 'none'}
          language="it"
          colorScheme="dark"
          colors={colors}
          showLegend
          showMinimap
          pricing={pricing}
          priceFormatter={formatPrice}
          objectWithoutPricingSelectable={false}
          selectionValidators={validators}
          maxSelectedObjects={sales.max_seats}
        />
      )}
    </section>
  );
}

/** The chart counts in euros; specification §5 wants "25,00 €" and "N/D". */
function formatPrice(euros: number | undefined): string {
  return formatEuro(typeof euros === 'number' && Number.isFinite(euros) ? Math.round(euros * 100) : null);
}

const regions: readonly Region[] = ['eu', 'na', 'sa', 'oc'];

function regionOf(name: string): Region {
  return regions.find((region) => region === name) ?? 'eu';
}

/** Fetches the script ahead, without running it, to learn whether it can be had at all. */
function useScript(url: string): 'loading' | 'ready' | 'failed' {
  const [outcome, setOutcome] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const link = document.createElement('link');
    link.rel = 'preload';
    link.as = 'script';
    link.href = url;
    const patience = setTimeout(() => setOutcome('failed'), scriptPatienceMs);
    const settle = (result: 'ready' | 'failed') => () => {
      clearTimeout(patience);
      setOutcome(result);
    };
    link.addEventListener('load', settle('ready'));
    link.addEventListener('error', settle('failed'));
    document.head.append(link);
    return () => {
      clearTimeout(patience);
      link.remove();
    };
  }, [url]);
  return outcome;
}
