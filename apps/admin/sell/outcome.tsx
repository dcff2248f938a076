/**
 * The result of a sale: change, print, or why it failed; an unknown result is requested again.
 */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { sayDeposit } from '#server/domain/counter/deposit-words.ts';
import { backWayWords } from '#server/domain/order/exchange-words.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { AddingTo } from './adding-to.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { hasShift, PrintedSale, type Counter } from '#apps/admin/print/printed.tsx';
import type { Sale, Sending } from './use-sale.ts';
import styles from './till.module.css';

interface OutcomeProps {
  sending: Sending;
  /** Codes, or the convention, that the refused sale took away. */
  gone?: readonly string[];
  counter: Counter;
  /** The number of the order whose tickets the last sale replaced; null: of none, or unknown. */
  madeFrom?: string | null;
  /** Restarts the map with the current state. */
  onRenew: () => void;
}

/** The refusals that a typed reason overrides, with their dialogs' words. */
const overridden = {
  rules: {
    title: 'Vendere fuori dalle regole?',
    hint: 'Per esempio: gruppo già seduto, posto visto dalla sala.',
  },
  group: {
    title: 'Vendere come gruppo?',
    hint: 'Per esempio: una scuola, un circolo, una compagnia.',
  },
};
const ruleCodes = ['orphan_seats', 'seats_not_consecutive'];
const lostCodes = ['seats_taken', 'hold_expired'];

export function SaleOutcome(props: OutcomeProps) {
  return (
    <>
      <AddingTo sale={props.sending.sale} />
      <News {...props} />
    </>
  );
}

function News({ sending, gone = [], counter, madeFrom = null, onRenew }: OutcomeProps) {
  const { pending, isUnknown, sale, refused } = sending;
  const [asksReason, setAsksReason] = useState(false);
  if (isUnknown)
    return (
      <Notice as="output" tone="warn" icon="offline">
        Manca la linea: non si sa ancora se la vendita è riuscita. La chiedo di nuovo da sola, senza
        venderla due volte. Non vendere altro e non ricaricare.
      </Notice>
    );
  if (pending !== null) return <Notice as="output">Registro la vendita…</Notice>;
  if (sale !== null) return <Done sale={sale} counter={counter} madeFrom={madeFrom} />;
  if (refused === null) return null;
  const rule = ruleOf(refused.code, counter);
  return (
    <>
      <FailureNotice text={[refused.text, ...goneWords(gone)].join(' ')} />
      {rule !== null && <Button onClick={() => setAsksReason(true)} label="Vendi lo stesso" />}
      {lostCodes.includes(refused.code) && (
        <Button icon="refresh" onClick={onRenew} label="Aggiorna la pianta" />
      )}
      {asksReason && rule !== null && (
        <ReasonDialog
          {...overridden[rule]}
          text="Il motivo resta scritto nell’ordine."
          confirmLabel="Vendi lo stesso"
          onCancel={() => setAsksReason(false)}
          onConfirm={async (reason) => {
            setAsksReason(false);
            sending.again(rule === 'rules' ? { rules_reason: reason } : { group_reason: reason });
          }}
        />
      )}
    </>
  );
}

function goneWords(gone: readonly string[]): string[] {
  if (gone.length === 0) return [];
  return [`Tolto dalla vendita: ${gone.join(', ')}. Di’ al cliente il nuovo totale.`];
}

/** Null: no reason helps, or the user lacks the right. */
function ruleOf(code: string, { may_sell_groups }: Counter): keyof typeof overridden | null {
  if (ruleCodes.includes(code)) return 'rules';
  return code === 'too_many_seats' && may_sell_groups ? 'group' : null;
}

/** "Cambiati i biglietti di A7K2-9QX4 con" is followed by the new order. */
function doneWords({ pay_by, exchange }: Sale, madeFrom: string | null): string {
  if (exchange !== null)
    return madeFrom === null ? 'Cambio fatto:' : `Cambiati i biglietti di ${madeFrom} con`;
  return pay_by === null ? 'Venduto:' : `Prenotato fino al ${formatListDate(pay_by)}:`;
}

function MoneyOfExchange({ exchange }: { exchange: NonNullable<Sale['exchange']> }) {
  const { due_cents, back_cents, back } = exchange;
  if (back_cents > 0)
    return (
      <p className={styles.change} role="status">
        Da restituire <strong>{formatEuro(back_cents)}</strong>{' '}
        {back !== null && <small>{backWayWords[back]}</small>}
      </p>
    );
  return <p>{due_cents > 0 ? `Differenza pagata: ${formatEuro(due_cents)}.` : 'Alla pari.'}</p>;
}

interface DoneProps {
  sale: Sale;
  counter: Counter;
  madeFrom?: string | null;
}

export function Done({ sale, counter, madeFrom = null }: DoneProps) {
  const maySee = useMay('see_orders');
  return (
    <section className={styles.done} aria-label="Ultima vendita">
      <p role="status">
        {doneWords(sale, madeFrom)}{' '}
        {maySee ? <Link to={`/orders/${sale.order_id}`}>{sale.number}</Link> : sale.number},{' '}
        {formatEuro(sale.total_cents)}
      </p>
      {sale.pay_by !== null && sale.paid_cents > 0 && (
        <p>{sayDeposit(sale.paid_cents, sale.total_cents)}</p>
      )}
      {sale.exchange !== null && <MoneyOfExchange exchange={sale.exchange} />}
      {sale.change_cents > 0 && (
        <p className={styles.change} role="status">
          Resto <strong>{formatEuro(sale.change_cents)}</strong>
        </p>
      )}
      {sale.state === 'confirmed' && hasShift(counter) && (
        <PrintedSale key={sale.order_id} sale={sale} counter={counter} />
      )}
    </section>
  );
}
