/** The refunds of an order and how far each has come; what can be done about one stands first on the page. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readOrder } from '#server/contract/orders.ts';
import { creditWords } from '#server/domain/order-words.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { failureWords, refundOriginWords, refundWordsOf } from './money-words.ts';

type Refund = ReplyOf<typeof readOrder>['refunds'][number];

export function OrderRefunds({ refunds }: { refunds: Refund[] }) {
  if (refunds.length === 0) return null;
  return (
    <section className="panel panel-wide">
      <h2>Rimborsi</h2>
      <ul className="cards">
        {refunds.toReversed().map((refund) => (
          <li key={refund.refund_id}>
            <RefundCard refund={refund} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RefundCard({ refund }: { refund: Refund }) {
  const words = refundWordsOf(refund);
  return (
    <div className="card">
      <p className="card-title">
        <b>{formatEuro(refund.amount_cents)}</b>{' '}
        <Badge tone={words.tone} icon={words.icon}>
          {words.word}
        </Badge>
      </p>
      <p className="soft">
        {formatListDate(refund.created_at)} · {refundOriginWords[refund.origin]}
        {refund.fee_cents > 0 && ` · di cui prevendita ${formatEuro(refund.fee_cents)}`}
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
        <p className={refund.state === 'failed' ? 'note-bad' : 'note-warn'}>
          {failureWords(refund.failure)}
        </p>
      )}
      {(refund.state === 'pending' || refund.state === 'requested') && refund.kind === 'stripe' && (
        <p className="soft">{creditWords}</p>
      )}
    </div>
  );
}
