/**
 * "Riprendi gli stessi posti": a link from an ended order to its event with the same places
 * chosen, if all are free.
 */
import { Link } from 'react-router-dom';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { seatsAgain } from '#server/contract/order/orders.ts';
import { discardOrder } from './last-order.ts';
import { wantSeats } from './wanted-seats.ts';

/**
 * `onWanted` is called once the places are stored, because the event's page may already be open
 * behind the link.
 */
export function SameSeats({ orderId, onWanted }: { orderId: string; onWanted?: () => void }) {
  const { data } = useEndpoint(seatsAgain, { params: { orderId } });
  if (data === undefined || data.selected_objects.length === 0) return null;
  const want = () => {
    wantSeats(data);
    discardOrder(orderId);
    onWanted?.();
  };
  return (
    <Link className="ui-button" to={`/event/${data.event_id}`} onClick={want}>
      <Icon name="undo" /> Riprendi gli stessi posti
    </Link>
  );
}
