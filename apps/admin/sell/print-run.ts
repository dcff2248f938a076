/** A long print at a network printer: one order after the other, so that a pause is exact, and what failed is told by name. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { dropPrint, printOrder, readPrint } from '#server/contract/counter.ts';
import type { PrintTrouble } from '#server/domain/printing.ts';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import type { PaperOrder } from './paper-choice.ts';
import { troubleWords } from './printed.tsx';

/** An order whose tickets are not on paper, and why. */
export interface Hole {
  order: PaperOrder;
  why: string;
}

export interface Run {
  state: 'printing' | 'pausing' | 'paused' | 'done';
  orders: readonly PaperOrder[];
  /** How many of them have had their turn. */
  at: number;
  holes: readonly Hole[];
  /** Why the printer stands still. */
  trouble: PrintTrouble | null;
}

export interface PrintRun {
  run: Run | null;
  start: (orders: readonly PaperOrder[]) => void;
  /** After the order that is printing now. */ pause: () => void;
  resume: () => void;
  /** The order that the printer cannot print is left out, and becomes a hole. */ skip: () => void;
}

const watchMs = 400;

export function usePrintRun(till_id: string): PrintRun {
  const [run, setRun] = useState<Run | null>(null);
  const wish = useRef<Wish>('go on');
  const print = usePrintOne(till_id, wish);
  const tell = (part: Partial<Run>) => setRun((now) => now && { ...now, ...part });
  useEffect(
    () => () => {
      wish.current = 'stop';
    },
    [],
  );
  const goOn = async (from: Run) => {
    wish.current = 'go on';
    let { at, holes } = from;
    setRun({ ...from, state: 'printing' });
    for (; at < from.orders.length && wish.current === 'go on'; at += 1) {
      const order = from.orders[at]!;
      const why = await print(order, (trouble) => tell({ trouble })).catch(tellFailure);
      if (why !== null) holes = [...holes, { order, why }];
      if (isSkip(wish)) wish.current = 'go on';
      tell({ at: at + 1, holes, trouble: null });
    }
    tell({ state: at < from.orders.length ? 'paused' : 'done' });
  };
  return {
    run,
    start: (orders) => void goOn({ state: 'printing', orders, at: 0, holes: [], trouble: null }),
    resume: () => void (run !== null && goOn(run)),
    pause: () => {
      wish.current = 'stop';
      tell({ state: 'pausing' });
    },
    skip: () => {
      wish.current = 'skip';
    },
  };
}

/** What the person wants, read between two steps. */
type Wish = 'go on' | 'skip' | 'stop';

function isSkip(wish: RefObject<Wish>): boolean {
  return wish.current === 'skip';
}

/** One order at the till's printer. Null: it is on paper; else why it is not. */
function usePrintOne(till_id: string, wish: RefObject<Wish>) {
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
      if (isSkip(wish)) {
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
