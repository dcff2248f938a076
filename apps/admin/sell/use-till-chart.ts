/** The till's access to the live seat map: read, choose, restart. */
import type { SeatingChart } from '@seatsio/seatsio-react';
import { useCallback, useMemo, useRef, useState, type RefObject } from 'react';
import type { BestWish } from '#server/domain/seat/best-wish.ts';
import type { ChosenObject } from '#apps/shared/chosen-place.ts';

export interface TillChart {
  chosen: readonly ChosenObject[];
  ready: boolean;
  holdToken: () => string;
  /** Chooses the free objects and returns the others. */
  choose: (objects: readonly string[]) => Promise<string[]>;
  /** False: too few places are free. */
  chooseBest: (wish: BestWish) => Promise<boolean>;
  /** Gives one object back; null: all. */
  takeOut: (object: string | null) => Promise<void>;
  /** Call it after a sale; the map learns of it a moment later. */
  sold: (objects: readonly string[]) => void;
  /** Restarts the map, after the hold ended or seats were taken. */
  renew: () => void;
  generation: number;
  callbacks: object;
}

type ChartRef = RefObject<SeatingChart | null>;

/** `onHold` gets each new hold of this till. */
export function useTillChart(onHold: (token: string) => void): TillChart {
  const chart = useRef<SeatingChart | null>(null);
  const token = useRef('');
  const tellHold = useRef(onHold);
  const [ready, setReady] = useState(false);
  const [generation, setGeneration] = useState(0);
  const { chosen, read, empty, sold, back } = useChosen(chart);
  const choosing = useChoosing(chart, read);

  const renew = useCallback(() => {
    chart.current = null;
    setReady(false);
    empty();
    setGeneration((nth) => nth + 1);
  }, [empty]);

  const callbacks = useMemo(
    () => ({
      onChartRendered: (drawn: SeatingChart) => {
        chart.current = drawn;
        setReady(true);
        void read();
      },
      onSessionInitialized: (session: { token?: string; holdToken?: string }) => {
        token.current = session.token ?? session.holdToken ?? '';
        if (token.current !== '') tellHold.current(token.current);
      },
      onHoldTokenExpired: renew,
      onObjectSelected: read,
      onObjectDeselected: read,
      onSelectedObjectBooked: ({ label }: { label: string }) => back(label),
      onSelectedObjectUnavailable: read,
      onHoldSucceeded: read,
      onHoldFailed: read,
    }),
    [read, renew, back],
  );
  return {
    chosen,
    ready,
    generation,
    callbacks,
    renew,
    sold,
    holdToken: () => chart.current?.holdToken || token.current,
    ...choosing,
  };
}

/** The objects chosen on the map, without sold ones that it still shows. */
function useChosen(chart: ChartRef) {
  const [chosen, setChosen] = useState<readonly ChosenObject[]>([]);
  const reads = useRef(0);
  const gone = useRef(new Set<string>());
  const read = useCallback(async () => {
    const nth = ++reads.current;
    const now = (await selectedOn(chart)).filter(({ label }) => !gone.current.has(label));
    // Replies may arrive in another order; only the latest request counts.
    if (nth === reads.current) setChosen(now);
    return now;
  }, [chart]);
  const empty = useCallback(() => setChosen([]), []);
  const back = useCallback(
    (label: string) => {
      gone.current.delete(label);
      void read();
    },
    [read],
  );
  const sold = (objects: readonly string[]) => {
    for (const label of objects) gone.current.add(label);
    void read();
    // A seat that the map has released is not hidden any more: it may be sold again after a
    // refund.
    void selectedOn(chart).then((selected) => {
      const still = new Set(selected.map(({ label }) => label));
      for (const label of objects) if (!still.has(label)) gone.current.delete(label);
    });
  };
  return { chosen, read, empty, sold, back };
}

async function selectedOn(chart: ChartRef): Promise<ChosenObject[]> {
  const selected = (await chart.current?.listSelectedObjects()) ?? [];
  return selected as ((typeof selected)[number] & ChosenObject)[];
}

/** The component's types lack this method. */
interface BestChooser {
  selectBestAvailableObjects: (ask: {
    number: number;
    sections?: readonly string[];
    categories?: readonly string[];
  }) => Promise<unknown>;
}

function useChoosing(
  chart: ChartRef,
  read: () => Promise<ChosenObject[]>,
): Pick<TillChart, 'choose' | 'chooseBest' | 'takeOut'> {
  return {
    choose: async (objects) => {
      await chart.current?.trySelectObjects([...objects]);
      const now = new Set((await read()).map(({ label }) => label));
      return objects.filter((label) => !now.has(label));
    },
    chooseBest: async ({ count, sector }) => {
      const before = placesIn(await read());
      const best = chart.current as (SeatingChart & BestChooser) | null;
      await (
        sector?.kind === 'area'
          ? best?.trySelectObjects([{ label: sector.object, amount: count }])
          : best?.selectBestAvailableObjects({
              number: count,
              ...(sector && { [sector.kind]: sector.names }),
            })
      )?.catch(() => {});
      return placesIn(await read()) > before;
    },
    takeOut: async (object) => {
      await (
        object === null ? chart.current?.clearSelection() : chart.current?.deselectObjects([object])
      )?.catch(() => {});
      await read();
    },
  };
}

function placesIn(chosen: readonly ChosenObject[]): number {
  return chosen.reduce((sum, { numSelected = 1 }) => sum + numSelected, 0);
}
