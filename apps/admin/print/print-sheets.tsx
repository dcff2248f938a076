/** A long print by the browser, in portions; after each a person says what was printed. */
import { useEffect, useRef, useState } from 'react';
import { readPaper } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { notePrinted } from '#server/contract/paper.ts';
import type { TicketLayout } from '#server/domain/counter/printing.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { PaperTickets } from './paper.tsx';
import { countTickets, type PaperOrder } from './paper-choice.ts';
import { FailedOrders, PrintProgress } from './print-progress.tsx';
import type { FailedOrder } from './print-run.ts';
import { troubleWords } from './printed.tsx';
import styles from './print.module.css';

type Paper = ReplyOf<typeof readPaper>;

/** Few enough to check by hand. */
const pileSize = 10;

interface PrintSheetsProps {
  orders: readonly PaperOrder[];
  layout: TicketLayout;
  onEnd: () => void;
}

export function PrintSheets({ orders: asked, layout, onEnd }: PrintSheetsProps) {
  const [orders, setOrders] = useState(asked);
  const [at, setAt] = useState(0);
  const [failed, setHoles] = useState<readonly FailedOrder[]>([]);
  const isDone = at >= orders.length;
  return (
    <Panel>
      <PrintProgress done={countTickets(orders.slice(0, at))} all={countTickets(orders)}>
        {isDone ? 'Finito.' : 'Una pila alla volta.'}
      </PrintProgress>
      {!isDone && (
        <Pile
          key={at}
          orders={orders.slice(at, at + pileSize)}
          layout={layout}
          onNext={(found) => {
            setHoles([...failed, ...found]);
            setAt(at + pileSize);
          }}
        />
      )}
      <FailedOrders
        failed={failed}
        onAgain={
          isDone
            ? (again) => {
                setOrders(again);
                setHoles([]);
                setAt(0);
              }
            : null
        }
      />
      <div className={styles.actions}>
        <Button onClick={onEnd} label={isDone ? 'Fine' : 'Smetti qui'} />
      </div>
    </Panel>
  );
}

interface PileProps {
  orders: readonly PaperOrder[];
  layout: TicketLayout;
  onNext: (failed: readonly FailedOrder[]) => void;
}

function Pile({ orders, layout, onNext }: PileProps) {
  const { papers, failure, print, note } = usePile(orders);
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const printed = papers?.filter(({ tickets }) => tickets.length > 0) ?? [];
  const empty = orders.filter(({ order_id }) =>
    papers?.every((paper) => paper.order_id !== order_id || paper.tickets.length === 0),
  );
  const goOn = async () => {
    await note(printed.filter(({ order_id }) => !missing.has(order_id)));
    const lost = orders.filter(({ order_id }) => missing.has(order_id));
    onNext([
      ...lost.map((order) => ({ order, why: 'Non uscito dalla stampante.' })),
      ...empty.map((order) => ({ order, why: troubleWords.no_tickets })),
    ]);
  };
  if (papers === null) return <FailureOr text={failure} onRetry={print} />;
  return (
    <>
      <PaperTickets tickets={printed.flatMap(({ tickets }) => tickets)} layout={layout} />
      <fieldset className={styles.pile}>
        <legend>Che cosa non è uscito?</legend>
        {printed.map(({ order_id, number, tickets }) => (
          <Check
            key={order_id}
            small
            label={`${number}, ${formatCount(tickets.length, 'biglietto', 'biglietti')}`}
            checked={missing.has(order_id)}
            onChange={() => setMissing(missing.symmetricDifference(new Set([order_id])))}
          />
        ))}
      </fieldset>
      <div className={styles.actions}>
        <AsyncButton variant="primary" onClick={goOn}>
          {missing.size === 0 ? 'Sono usciti tutti: avanti' : 'Gli altri sono usciti: avanti'}
        </AsyncButton>
        <Button icon="print" onClick={() => window.print()} label="Ristampa la pila" />
      </div>
    </>
  );
}

function FailureOr({ text, onRetry }: { text: string | null; onRetry: () => Promise<void> }) {
  if (text === null) return <p role="status">Preparo la stampa…</p>;
  return (
    <>
      <FailureNotice text={text} />
      <AsyncButton onClick={onRetry}>Riprova</AsyncButton>
    </>
  );
}

/** Fetches the tickets of a portion and prints them together. */
function usePile(orders: readonly PaperOrder[]) {
  const act = useAct();
  const [papers, setPapers] = useState<readonly Paper[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const print = async () => {
    setFailure(null);
    try {
      const asked = orders.map(({ order_id }) => act(readPaper, { params: { orderId: order_id } }));
      setPapers(await Promise.all(asked));
    } catch (error) {
      setFailure(tellFailure(error));
    }
  };
  const begin = useRef(print);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void begin.current();
  }, []);
  useEffect(() => {
    if (papers !== null) window.print();
  }, [papers]);
  const note = async (printed: readonly Paper[]) => {
    for (const { order_id, tickets } of printed)
      await act(notePrinted, { params: { orderId: order_id }, body: { tickets } });
  };
  return { papers, failure, print, note };
}
