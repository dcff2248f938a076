/** Prints orders at a network printer one by one, so that a pause loses none. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { dropPrint, printOrder, readPrint } from '#server/contract/counter.ts';
import type { PrintTrouble } from '#server/domain/counter/printing.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { PaperOrder } from './paper-choice.ts';
import { troubleWords } from './printed.tsx';

export interface FailedOrder {
  order: PaperOrder;
  why: string;
}

export interface Run {
  state: 'printing' | 'pausing' | 'paused' | 'done';
  orders: readonly PaperOrder[];
  /** How many orders are done, printed or not. */
  at: number;
  failed: readonly FailedOrder[];
  /** Why the printer stopped. */
  trouble: PrintTrouble | null;
}

interface PrintRun {
  run: Run | null;
  start: (orders: readonly PaperOrder[]) => void;
  /** Stops after the present order. */ pause: () => void;
  resume: () => void;
  /** Skips the order that cannot be printed, and lists it as failed. */ skip: () => void;
}

const watchMs = 400;

export function usePrintRun(till_id: string): PrintRun {
  const [run, setRun] = useState<Run | null>(null);
  const wishes = useRef<Wishes>({ stops: false, skips: false });
  const print = usePrintOne(till_id, wishes);
  const tell = (part: Partial<Run>) => setRun((now) => now && { ...now, ...part });
  useEffect(
    () => () => {
      wishes.current.stops = true;
    },
    [],
  );
  const goOn = async (from: Run) => {
    wishes.current = { stops: false, skips: false };
    let { at, failed } = from;
    setRun({ ...from, state: 'printing' });
    for (const order of from.orders.slice(at)) {
      if (wishes.current.stops) break;
      const why = await print(order, (trouble) => tell({ trouble })).catch(tellFailure);
      if (why !== null) failed = [...failed, { order, why }];
      wishes.current.skips = false;
      at += 1;
      tell({ at, failed, trouble: null });
    }
    tell({ state: at < from.orders.length ? 'paused' : 'done' });
  };
  return {
    run,
    start: (orders) => void goOn({ state: 'printing', orders, at: 0, failed: [], trouble: null }),
    resume: () => void (run !== null && goOn(run)),
    pause: () => {
      wishes.current.stops = true;
      tell({ state: 'pausing' });
    },
    skip: () => {
      wishes.current.skips = true;
    },
  };
}

/** What the user has pressed: stop after this order, or skip it. */
interface Wishes {
  stops: boolean;
  skips: boolean;
}

/** Prints one order at the till. Null: printed; else why not. */
function usePrintOne(till_id: string, wishes: RefObject<Wishes>) {
  const act = useAct();
  return async function print(
    { order_id }: PaperOrder,
    onTrouble: (trouble: PrintTrouble | null) => void,
  ): Promise<string | null> {
    const made = await act(printOrder, { params: { orderId: order_id }, body: { till_id } });
    const job = { params: { printId: made.print_id } };
    for (;;) {
      const { state, trouble } = await act(readPrint, job);
      if (state === 'printed') return null;
      if (state === 'given_up')
        return trouble === null ? 'Tolto dalla coda.' : troubleWords[trouble];
      onTrouble(trouble);
      if (wishes.current.skips) {
        await act(dropPrint, job);
        return 'Saltato.';
      }
      await pauseFor(watchMs);
    }
  };
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
