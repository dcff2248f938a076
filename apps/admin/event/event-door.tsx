/** The door of one event: who is inside, and links to its scans and conflicts. */
import { Link, useParams } from 'react-router-dom';
import { PresenceOf } from '#apps/admin/door/presence.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './event.module.css';

export function EventDoorScreen() {
  const { eventId } = useParams() as { eventId: string };
  const ask = `event_id=${encodeURIComponent(eventId)}`;
  return (
    <>
      {useMay('admit') && (
        <p className={`${textStyles.links} ${styles.ways}`}>
          <Link to={`/door/scans?${ask}`}>Letture</Link>
          <Link to={`/door/conflicts?${ask}`}>Conflitti</Link>
        </p>
      )}
      <PresenceOf key={eventId} eventId={eventId} />
    </>
  );
}
