/** The live seat map of the till: the same chart as the event page's, which holds what is chosen; the till reads from it and chooses by name or by number. */
import { SeatsioSeatingChart, type SeatingChart } from '@seatsio/seatsio-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { regionOf, useChartScript } from '#apps/shared/chart-script.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { mostCounterSeats } from '#server/domain/counter.ts';
import type { ChosenObject, Till } from './basket.ts';
import styles from './till.module.css';

/** Made once: another object would build the chart anew. */
const colors = { colorSelected: '#4f8ef7' };

export interface TillChart {
  chosen: readonly ChosenObject[];
  ready: boolean;
  holdToken: () => string;
  /** Those of them that can be had; the answer names the rest. */
  choose: (objects: readonly string[]) => Promise<string[]>;
  /** False: there are not so many. */
  chooseBest: (count: number) => Promise<boolean>;
  clear: () => Promise<void>;
  /** They are somebody's now; the map learns of it a moment later. */
  sold: (objects: readonly string[]) => void;
  /** The hold is over, or seats were taken: the map begins again with what is true now. */
  renew: () => void;
  generation: number;
  callbacks: object;
}

export function useTillChart(): TillChart {
  const chart = useRef<SeatingChart | null>(null);
  const token = useRef('');
  const [chosen, setChosen] = useState<readonly ChosenObject[]>([]);
  const [ready, setReady] = useState(false);
  const [generation, setGeneration] = useState(0);
  const reads = useRef(0);
  const gone = useRef(new Set<string>());

  const read = useCallback(async () => {
    const nth = ++reads.current;
    const selected = (await chart.current?.listSelectedObjects()) ?? [];
    const now = (selected as unknown as ChosenObject[]).filter(
      ({ label }) => !gone.current.has(label),
    );
    // Answers may come out of order; only the latest question counts.
    if (nth === reads.current) setChosen(now);
    return now;
  }, []);

  const renew = useCallback(() => {
    chart.current = null;
    setReady(false);
    setChosen([]);
    setGeneration((nth) => nth + 1);
  }, []);

  const callbacks = useMemo(
    () => ({
      onChartRendered: (drawn: SeatingChart) => {
        chart.current = drawn;
        setReady(true);
        void read();
      },
      onSessionInitialized: (session: { token?: string; holdToken?: string }) => {
        token.current = session.token ?? session.holdToken ?? '';
      },
      onHoldTokenExpired: renew,
      onObjectSelected: read,
      onObjectDeselected: read,
      onSelectedObjectBooked: ({ label }: { label: string }) => {
        gone.current.delete(label);
        void read();
      },
      onSelectedObjectUnavailable: read,
      onHoldSucceeded: read,
      onHoldFailed: read,
    }),
    [read, renew],
  );

  return {
    chosen,
    ready,
    generation,
    callbacks,
    renew,
    holdToken: () => chart.current?.holdToken || token.current,
    sold(objects) {
      for (const label of objects) gone.current.add(label);
      void read();
      // What the map has let go of already may come back one day, after a refund.
      void chart.current?.listSelectedObjects().then((selected) => {
        const still = new Set((selected as unknown as ChosenObject[]).map(({ label }) => label));
        for (const label of objects) if (!still.has(label)) gone.current.delete(label);
      });
    },
    async choose(objects) {
      await chart.current?.trySelectObjects([...objects]);
      const now = new Set((await read()).map(({ label }) => label));
      return objects.filter((label) => !now.has(label));
    },
    async chooseBest(count) {
      const before = (await read()).length;
      await (chart.current as unknown as BestChooser | null)
        ?.selectBestAvailableObjects({ number: count })
        .catch(() => {});
      return (await read()).length > before;
    },
    async clear() {
      await chart.current?.clearSelection().catch(() => {});
      await read();
    },
  };
}

/** The component's types do not name this method. */
interface BestChooser {
  selectBestAvailableObjects: (ask: { number: number }) => Promise<unknown>;
}

export function TillMap({ till, map }: { till: Till; map: TillChart }) {
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
          maxSelectedObjects={mostCounterSeats}
        />
      )}
    </section>
  );
}
