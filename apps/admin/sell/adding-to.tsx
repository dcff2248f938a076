/** Says that the next sale adds seats to the order in the till's address. */
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { readOrder } from '#server/contract/order/orders.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { addingName } from './adding-address.ts';
import type { Sale } from './use-sale.ts';
import styles from './adding-to.module.css';

/** `sale` is the latest sale. */
export function AddingTo({ sale }: { sale: Sale | null }) {
  const [search, setSearch] = useSearchParams();
  const id = search.get(addingName) ?? '';
  const order = useEndpoint(readOrder, { params: { orderId: id } }, { enabled: id !== '' });
  const made = sale?.order_id;
  useEffect(() => {
    if (made !== undefined) setSearch({}, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once per sale, whatever the address does
  }, [made]);
  if (id === '') return null;
  return (
    <Notice as="div" icon="plus" className={styles.adding}>
      Posti in più per l’ordine{' '}
      <Link to={`/orders/${encodeURIComponent(id)}`}>{order.data?.number ?? '…'}</Link>
      {order.data?.buyer_name && ` di ${isolate(order.data.buyer_name)}`}.{' '}
      <Button small look="quiet" onClick={() => setSearch({})} label="Vendita a parte" />
    </Notice>
  );
}
