/** When and where the event of an order or a ticket is. */
import { formatLongDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { sayTimes } from './say-times.ts';
import styles from './page.module.css';

type Facts = Pick<
  OrderReply['event'],
  'title' | 'starts_at' | 'doors_at' | 'venue_title' | 'venue_href' | 'venue_address'
>;

export function EventFacts({ event }: { event: Facts }) {
  return (
    <>
      <h2 id="order-facts-title">{event.title}</h2>
      <ul className={styles.facts}>
        <li>
          <Icon name="calendar" />{' '}
          <span>
            {formatLongDate(event.starts_at)}
            <br />
            <span className="soft">{sayTimes(event)}</span>
          </span>
        </li>
        <li>
          <Icon name="pin" />{' '}
          <span>
            {event.venue_href === null ? (
              event.venue_title
            ) : (
              <a href={event.venue_href} target="_blank" rel="noopener noreferrer">
                {event.venue_title}
              </a>
            )}
            {event.venue_address !== null && <span className="soft">{event.venue_address}</span>}
          </span>
        </li>
      </ul>
    </>
  );
}
