/** Refunds on the order page: earlier ones, and what may still be requested until when. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { refundStateWords } from '#apps/shared/refund-words.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { orderRefunds, withdrawRefund } from '#server/contract/order/refunds.ts';
import { RefundChooser } from './refund-chooser.tsx';
import { sayRefund } from './refund-status.ts';
import type { OrderReply, RefundsReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import styles from './refund-form.late.module.css';

/** While a refund is on its way the page refetches. */
const lookAgainMs = 5_000;

interface RefundSectionProps {
  order: OrderReply;
  onChanged: () => Promise<unknown>;
}

export function RefundSection({ order, onChanged }: RefundSectionProps) {
  const [choosing, setChoosing] = useState(false);
  const found = useEndpoint(
    orderRefunds,
    { params: { orderId: order.order_id } },
    { refetchInterval: ({ state: { data } }) => (isOnItsWay(data) ? lookAgainMs : false) },
  );
  if (found.data === undefined) return null;
  const isCancelled = (order.cancellation ?? null) !== null;
  // The question of a moved or cancelled evening has its own button.
  const isAsked = isCancelled || order.postponement?.may_answer === true;
  // What went into an exchange is no refund, and its own section tells it.
  const refunds = found.data.refunds.filter(({ kind }) => kind !== 'exchange');
  // Free tickets have no refunds; that some were given back is shown on the tickets.
  if (order.paid_cents === 0 && (refunds.length === 0 || order.free !== null)) return null;
  // The question of a cancelled evening says what else happens to the money.
  const told = isCancelled ? refunds.filter(({ kind }) => kind !== 'gift') : refunds;
  if (isAsked && told.length === 0) return null;

  async function changed() {
    setChoosing(false);
    await Promise.all([found.refetch(), onChanged()]);
  }
  return (
    <section className={`${card.section} no-print`} aria-labelledby="refunds-title">
      <h2 id="refunds-title">Rimborsi</h2>
      {told.length > 0 && (
        <ul className={styles.list}>
          {told.map((refund) => (
            <RefundLine
              key={refund.refund_id}
              order_id={order.order_id}
              refund={refund}
              onChanged={changed}
            />
          ))}
        </ul>
      )}
      {choosing ? (
        <RefundChooser
          order_id={order.order_id}
          page={found.data}
          onDone={changed}
          onCancel={() => setChoosing(false)}
        />
      ) : (
        !isAsked && <MayAsk page={found.data} onAsk={() => setChoosing(true)} />
      )}
    </section>
  );
}

function isOnItsWay(page: RefundsReply | undefined): boolean {
  return (
    page?.refunds.some(({ state, kind }) => state === 'requested' && kind === 'stripe') ?? false
  );
}

/** Says which refund may be requested until when, or why none. */
function MayAsk({ page, onAsk }: { page: RefundsReply; onAsk: () => void }) {
  const { words, obstacle } = page;
  if (obstacle !== null) return words && <p className="soft">{words}</p>;
  return (
    <>
      {words !== null && <p>{words}</p>}
      <p>
        <button type="button" className="ui-button" onClick={onAsk}>
          Chiedi un rimborso
        </button>
      </p>
    </>
  );
}

interface RefundLineProps {
  order_id: string;
  refund: RefundsReply['refunds'][number];
  onChanged: () => Promise<unknown>;
}

function RefundLine({ order_id, refund, onChanged }: RefundLineProps) {
  const [asking, setAsking] = useState(false);
  const { label, tone } = refundStateWords[refund.state];

  async function withdraw() {
    await call(withdrawRefund, { params: { orderId: order_id, refundId: refund.refund_id } });
    setAsking(false);
    await onChanged();
  }
  return (
    <li className={styles.line}>
      <Badge tone={tone}>{label}</Badge>
      <div>
        <p>{sayRefund(refund)}</p>
        {refund.seats.length > 0 && <p className="small soft">{refund.seats.join(' · ')}</p>}
        {refund.state === 'asked' && (
          <AsyncButton variant="quiet" className={styles.withdraw} onClick={() => setAsking(true)}>
            Ritira la richiesta
          </AsyncButton>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title="Vuoi ritirare la richiesta?"
          text="I biglietti restano tuoi. Finché i termini lo permettono puoi chiedere di nuovo il rimborso."
          confirmLabel="Sì, ritira"
          cancelLabel="Torna indietro"
          onConfirm={withdraw}
          onCancel={() => setAsking(false)}
        />
      )}
    </li>
  );
}
