/**
 * The event page's header (RULES W4): banner, logo, two round pictures, title, description, place
 * and time.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatLongDate, formatTime } from '#apps/shared/format.ts';
import { Picture } from '#apps/shared/picture.tsx';
import { track } from '#apps/shared/track.ts';
import { Drawer } from '#apps/shared/ui/drawer.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { PageBar } from '#apps/booking/shell/page/page-bar.tsx';
import { ShareButton } from './share-button.tsx';
import frame from '#apps/booking/shell/page/frame.module.css';
import styles from './header.module.css';
import prose from '#apps/booking/shell/page/prose.module.css';

interface EventHeaderProps {
  page: EventReply;
  /** The price, the way to the seats, and the show's dates. */ dates: ReactNode;
  /** The booking button, at the right of the header. */ children: ReactNode;
}

export function EventHeader({ page, dates, children }: EventHeaderProps) {
  const { event, event_ball_image, band_ball_image, banner_image } = page;
  return (
    <header>
      <div
        className={`${styles.banner} no-print`}
        data-own={banner_image === null ? ownColour(event.id) : undefined}
      >
        {banner_image !== null && (
          <Picture className={styles.picture} src={banner_image} alt="" sizes="100vw" />
        )}
        <div className={`${frame.column} ${styles.bar}`}>
          <PageBar onPicture />
        </div>
      </div>
      <div className={`${frame.column} ${styles.inner}`}>
        {(event_ball_image !== null || band_ball_image !== null) && (
          <div className={styles.balls}>
            {event_ball_image !== null && (
              <Picture
                className={styles.ball}
                src={event_ball_image}
                alt=""
                sizes="(min-width: 768px) 192px, 120px"
                width={192}
                height={192}
              />
            )}
            {band_ball_image !== null && (
              <Picture
                className={styles.band}
                src={band_ball_image}
                alt=""
                sizes="96px"
                width={96}
                height={96}
              />
            )}
          </div>
        )}
        {children}
        <h1 className={styles.title}>{event.title}</h1>
        <Facts page={page} />
        <div className={styles.dates}>{dates}</div>
        <Acts page={page} />
        {event.attributes.description.trim() !== '' && (
          <Description title={event.title} html={event.attributes.description} />
        )}
      </div>
    </header>
  );
}

/** The colours of an event without a picture, so that pages differ. */
function ownColour(id: string): number {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return Math.floor(hue / 45);
}

function directionsTo(...place: (string | null)[]): string {
  const where = place.filter((part) => part !== null).join(', ');
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(where)}`;
}

function Facts({ page: { event, venue_title, venue_href, venue_address } }: { page: EventReply }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>
          <Icon name="calendar" label="Quando" />
        </dt>
        <dd>
          <time dateTime={event.starts_at}>{formatLongDate(event.starts_at)}</time>
          {event.postponed_from !== null && (
            <span className={styles.more}>
              <strong>Rinviato</strong>: era {formatLongDate(event.postponed_from)}
            </span>
          )}
          {event.doors_at !== null && (
            <span className={`${styles.more} soft`}>
              porte aperte dalle {formatTime(event.doors_at)}
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <Icon name="pin" label="Dove" />
        </dt>
        <dd>
          {venue_href === null ? (
            venue_title
          ) : (
            <a href={venue_href} target="_blank" rel="noopener noreferrer">
              <span>{venue_title}</span>{' '}
              <Icon name="external" size={16} label="si apre in una nuova scheda" />
            </a>
          )}
          {venue_address !== null && <span className={`${styles.more} soft`}>{venue_address}</span>}
        </dd>
      </div>
    </dl>
  );
}

function Acts({ page: { event, venue_title, venue_address } }: { page: EventReply }) {
  return (
    <p className={`${styles.acts} no-print`}>
      <a
        className={styles.act}
        href={directionsTo(venue_title, venue_address)}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="map" size={18} /> Come arrivare
      </a>
      <ShareButton id={event.id} title={event.title} />
    </p>
  );
}

/**
 * Shows the start of the description; a click opens the whole text in a drawer. The server has
 * sanitised the HTML.
 */
function Description({ title, html }: { title: string; html: string }) {
  const [open, setOpen] = useState(false);
  const preview = useRef<HTMLDivElement>(null);
  const clipped = useOverflow(preview);
  useEffect(() => {
    if (open) track('description_opened');
  }, [open]);
  return (
    <div className={clipped ? `${styles.about} ${styles.clipped}` : styles.about}>
      <div
        ref={preview}
        className={`${styles.description} ${prose.rich}`}
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <button
        type="button"
        className={`${styles.open} no-print needs-script`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Leggi tutto<span className="visually-hidden"> su {title}</span>{' '}
        <Icon name="down" size={18} />
      </button>
      {open && (
        <Drawer title={title} onClose={() => setOpen(false)}>
          <div
            className={`${prose.prose} ${prose.rich}`}
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </Drawer>
      )}
    </div>
  );
}
