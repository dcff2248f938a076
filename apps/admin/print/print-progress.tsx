/** The progress of a long print, and the orders that failed. */
import { isolate } from '#server/domain/text/direction.ts';
import type { ReactNode } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import type { PaperOrder } from './paper-choice.ts';
import type { FailedOrder } from './print-run.ts';
import styles from './print.module.css';

interface PrintProgressProps {
  /** The number of tickets done. */
  done: number;
  all: number;
  children: ReactNode;
}

export function PrintProgress({ done, all, children }: PrintProgressProps) {
  return (
    <div className={styles.progress}>
      <progress value={done} max={all} aria-label="Biglietti stampati" />
      <p role="status">
        {children} {done} di {formatCount(all, 'biglietto', 'biglietti')}.
      </p>
    </div>
  );
}

interface PrintHolesProps {
  failed: readonly FailedOrder[];
  /** Null while the print is running. */
  onAgain: ((orders: readonly PaperOrder[]) => void) | null;
}

export function FailedOrders({ failed, onAgain }: PrintHolesProps) {
  if (failed.length === 0) return null;
  return (
    <section className={styles.failed} aria-labelledby="print-holes">
      <h2 id="print-holes">Non stampati</h2>
      <ul>
        {failed.map(({ order, why }) => (
          <li key={order.order_id}>
            {order.number}
            {order.buyer_name !== null && `, ${isolate(order.buyer_name)}`}: {why}
          </li>
        ))}
      </ul>
      {onAgain !== null && (
        <Button
          icon="print"
          onClick={() => onAgain(failed.map(({ order }) => order))}
          label="Stampa solo questi"
        />
      )}
    </section>
  );
}
