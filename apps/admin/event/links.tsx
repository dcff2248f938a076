/** Parts of an event that several screens show: its state, tickets sold, links. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { updateEvent } from '#server/contract/event-desk.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { readSeats } from '#server/contract/seats.ts';
import type { listEvents } from '#server/contract/events.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { DuplicateEvent } from './duplicate.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { eventWords } from '#apps/admin/kit/words.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import meterStyles from '#apps/admin/kit/meter.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './events.module.css';

export type EventRow = ReplyOf<typeof listEvents>['items'][number];

export function EventBadge({ event }: { event: Pick<EventRow, 'status' | 'sales' | 'demo'> }) {
  return (
    <>
      <StateBadge {...eventWords(event)} /> {event.demo && <Badge>DEMO</Badge>}
    </>
  );
}

/** The bar repeats the figures beside it and is hidden from screen readers. */
export function Sold({ counts }: { counts: EventRow['counts'] }) {
  const share = counts.places === 0 ? 0 : Math.min(1, counts.sold / counts.places);
  return (
    <span className={styles.share}>
      <span>
        <b>{counts.sold.toLocaleString('it-IT')}</b>{' '}
        <span className={textStyles.soft}>/ {counts.places.toLocaleString('it-IT')} posti</span>
      </span>
      <span className={meterStyles.bar} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </span>
  );
}

export function EventLinks({ event }: { event: Pick<EventRow, 'id' | 'status' | 'title'> }) {
  const mayEdit = useMay(updateEvent.who);
  const maySeeSeats = useMay(readSeats.who);
  const maySeeOrders = useMay(listOrders.who);
  const mayAdmit = useMay(listRecentAdmissions.who);
  return (
    <nav className={textStyles.links} aria-label={event.title}>
      {mayEdit && <Link to={`/events/${encodeURIComponent(event.id)}/edit`}>Modifica</Link>}
      {maySeeSeats && <Link to={`/events/${encodeURIComponent(event.id)}/seats`}>Pianta</Link>}
      {maySeeOrders && <Link to={`/events/${encodeURIComponent(event.id)}/orders`}>Ordini</Link>}
      {mayAdmit && <Link to={`/events/${encodeURIComponent(event.id)}/door`}>Porta</Link>}
      {event.status !== 'draft' && (
        <OutLink href={`/event/${encodeURIComponent(event.id)}`}>Pagina pubblica</OutLink>
      )}
      <DuplicateEvent event={event} />
    </nav>
  );
}
