/** The refunds of an order and their states. */

import { feeWords } from '#server/domain/price/pricing.ts';
import { creditWords } from '#server/domain/order/order-words.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { failureWords, refundOriginWords, refundWordsOf } from './money-words.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import type { Order } from '#apps/admin/order/shown-order.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './refund.module.css';

type Refund = Order['refunds'][number];

export function OrderRefunds({ refunds }: { refunds: Refund[] }) {
  if (refunds.length === 0) return null;
  return (
    <Panel wide>
      <h2>Rimborsi</h2>
      <ul className={panelStyles.cards}>
        {refunds.toReversed().map((refund) => (
          <li key={refund.refund_id}>
            <RefundCard refund={refund} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function RefundCard({ refund }: { refund: Refund }) {
  return (
    <div className={styles.card}>
      <p className={panelStyles.cardTitle}>
        <b>{formatEuro(refund.amount_cents)}</b> <StateBadge {...refundWordsOf(refund)} />
      </p>
      <p className={textStyles.soft}>
        {formatListDate(refund.created_at)} · {refundOriginWords[refund.origin]}
        {refund.fee_cents > 0 && ` · ${feeWords(refund)}`}
        {refund.receipt_number !== null && (
          <>
            {' '}
            · ricevuta <code>{refund.receipt_number}</code>
          </>
        )}
      </p>
      {refund.seats.length > 0 && <p>{refund.seats.join(' · ')}</p>}
      {refund.reason !== null && <p>«{refund.reason}»</p>}
      {refund.failure !== null && (
        <p className={refund.state === 'failed' ? textStyles.bad : textStyles.warn}>
          {failureWords(refund.failure)}
        </p>
      )}
      {(refund.state === 'pending' || refund.state === 'requested') && refund.kind === 'stripe' && (
        <p className={textStyles.soft}>{creditWords}</p>
      )}
    </div>
  );
}
