/** A link to the screen that moves tickets. */
import { Link } from 'react-router-dom';
import { useMay } from '#apps/admin/kit/session/session.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';

interface MoveLinkProps {
  order: { order_id: string };
  /** Empty: all tickets of the order. */ tickets: readonly string[];
}

export function MoveLink({ order, tickets }: MoveLinkProps) {
  if (!useMay('move_tickets')) return null;
  const path = `/orders/${encodeURIComponent(order.order_id)}/move`;
  const named = tickets.length === 0 ? '' : `?tickets=${encodeURIComponent(tickets.join(','))}`;
  return (
    <Link className={`ui-button ${buttonStyles.small}`} to={path + named}>
      Sposta…
    </Link>
  );
}
