/** The orders that cannot go to another date, each with the reason; they stay without an answer. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { previewTransfer } from '#server/contract/transfers.ts';
import { transferObstacleWords } from '#server/domain/counter/transfer-words.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatCount } from '#apps/shared/format.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Staying = ReplyOf<typeof previewTransfer>['staying'];

export function StayingList({ staying }: { staying: Staying }) {
  if (staying.length === 0) return null;
  return (
    <details open={staying.length <= 5}>
      <summary>{formatCount(staying.length, 'ordine resta', 'ordini restano')} qui</summary>
      <ul>
        {staying.map(({ order_id, number, buyer_name, obstacle }) => (
          <li key={order_id}>
            <Link className={textStyles.code} to={`/orders/${encodeURIComponent(order_id)}`}>
              {number}
            </Link>{' '}
            {buyer_name !== null && `${isolate(buyer_name)}: `}
            {obstacle !== null && transferObstacleWords[obstacle]}
          </li>
        ))}
      </ul>
    </details>
  );
}
