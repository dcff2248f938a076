/** Moves tickets of an order to other seats: tickets, live map, and a preview. */
import { keepPreviousData } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { readOrder } from '#server/contract/order/orders.ts';
import { readHall, readSeats } from '#server/contract/seats.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import type { Order } from '#apps/admin/order/shown-order.ts';
import { MoveDesk } from './desk.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

/** The map updates itself; the holders are fetched at this interval. */
const pollMs = 5_000;

export function MoveScreen() {
  const { orderId } = useParams() as { orderId: string };
  const order = useEndpoint(readOrder, { params: { orderId } });
  return (
    <>
      <BackLink to={`/orders/${encodeURIComponent(orderId)}`}>Ordine</BackLink>
      <Loaded query={order}>{(data) => <WithHall key={data.order_id} order={data} />}</Loaded>
    </>
  );
}

function WithHall({ order }: { order: Order }) {
  const params = { eventId: order.event_id };
  const hall = useEndpoint(
    readHall,
    { params },
    { staleTime: 10 * 60_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
  );
  const seats = useEndpoint(
    readSeats,
    { params },
    { refetchInterval: pollMs, placeholderData: keepPreviousData },
  );
  return (
    <>
      <PageTitle title={`Sposta i posti dell’ordine ${order.number}`}>
        <p className={textStyles.soft}>
          {order.event_title} · {formatShortDate(order.event.starts_at)}
        </p>
      </PageTitle>
      <Loaded query={hall}>
        {(drawn) => (
          <Loaded query={seats}>
            {(now) => <MoveDesk order={order} hall={drawn} now={now} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
