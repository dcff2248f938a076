/** A long print at a network printer: progress, pause, printer trouble, and failed orders. */
import { useEffect, useRef } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { countTickets, type PaperOrder } from './paper-choice.ts';
import { FailedOrders, PrintProgress } from './print-progress.tsx';
import { usePrintRun, type Run } from './print-run.ts';
import { troubleWords } from './printed.tsx';
import styles from './print.module.css';

interface PrintRollProps {
  orders: readonly PaperOrder[];
  till_id: string;
  onEnd: () => void;
}

export function PrintRoll({ orders, till_id, onEnd }: PrintRollProps) {
  const { run, start, pause, resume, skip } = usePrintRun(till_id);
  const begin = useRef(start);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    begin.current(orders);
  }, [orders]);
  if (run === null) return null;
  return (
    <Panel>
      <PrintProgress
        done={countTickets(run.orders.slice(0, run.at))}
        all={countTickets(run.orders)}
      >
        {stateWords(run)}
      </PrintProgress>
      {run.trouble !== null && (
        <Notice as="output" tone="warn">
          {troubleWords[run.trouble]}
        </Notice>
      )}
      <div className={styles.actions}>
        {run.state === 'printing' && <Button icon="clock" onClick={pause} label="Pausa" />}
        {run.state === 'paused' && (
          <Button look="primary" icon="print" onClick={resume} label="Riprendi" />
        )}
        {run.trouble !== null && <Button onClick={skip} label="Salta questo ordine" />}
        {(run.state === 'paused' || run.state === 'done') && (
          <Button onClick={onEnd} label={run.state === 'done' ? 'Fine' : 'Smetti qui'} />
        )}
      </div>
      <FailedOrders failed={run.failed} onAgain={run.state === 'done' ? start : null} />
    </Panel>
  );
}

function stateWords({ state, orders, at, failed }: Run): string {
  if (state === 'done') return failed.length === 0 ? 'Stampati tutti.' : 'Finito, con dei buchi.';
  if (state === 'paused') return 'In pausa.';
  if (state === 'pausing') return `Finisco l’ordine ${orders[at]?.number ?? ''} e mi fermo…`;
  return `In stampa: ordine ${orders[at]?.number ?? ''}`;
}
