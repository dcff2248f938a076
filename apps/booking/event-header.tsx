/** The event page's header: banner, logo, the two round pictures, title, description, place and time (specification §2). */
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { formatLongDate, formatTime } from '#apps/shared/format.ts';
import { Drawer } from '#apps/shared/ui/drawer.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { EventReply } from './replies.ts';
import { site } from './site.ts';

/** `children` is the booking button, at the right of the header. */
export function EventHeader({ page, children }: { page: EventReply; children: ReactNode }) {
  const { event, venue_title, venue_href, event_ball_image, band_ball_image } = page;
  return (
    <header className="event-head">
      <div className="event-banner">
        <div className="event-banner-inner">
          <Link to="/" className="brand"><img src="/images/logo.svg" alt="" width={40} height={40} /> <span>{site.name}</span><span className="visually-hidden">: tutti gli spettacoli</span></Link>
        </div>
      </div>
      <div className="event-head-inner">
        {(event_ball_image !== null || band_ball_image !== null) && (
          <div className="event-balls">
            {event_ball_image !== null && <img className="event-ball" src={event_ball_image} alt="" />}
            {band_ball_image !== null && <img className="band-ball" src={band_ball_image} alt="" />}
          </div>
        )}
        {children}
        <h1 className="event-title">{event.title}</h1>
        <dl className="event-facts">
          <div>
            <dt><Icon name="calendar" label="Quando" /></dt>
            <dd>
              <time dateTime={event.starts_at}>{formatLongDate(event.starts_at)}</time>
              {event.doors_at !== null && <span className="event-doors soft">porte aperte dalle {formatTime(event.doors_at)}</span>}
            </dd>
          </div>
          <div>
            <dt><Icon name="pin" label="Dove" /></dt>
            <dd>
              {venue_href === null ? venue_title : (
                <a href={venue_href} target="_blank" rel="noopener noreferrer">{venue_title} <Icon name="external" size={16} label="si apre in una nuova scheda" /></a>
              )}
            </dd>
          </div>
        </dl>
        {event.attributes.description.trim() !== '' && <Description title={event.title} text={event.attributes.description} />}
      </div>
    </header>
  );
}

/** A preview clipped by the style sheet; the whole text comes up from below. */
function Description({ title, text }: { title: string; text: string }) {
  const [open, setOpen] = useState(false);
  const preview = useRef<HTMLButtonElement>(null);
  const clipped = useClipped(preview);
  const paragraphs = text.split(/\n{2,}/);
  return (
    <div className={clipped ? 'event-about event-about-clipped' : 'event-about'}>
      <button type="button" ref={preview} className="event-description" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {paragraphs.map((paragraph, index) => <span key={index} className="paragraph">{paragraph}</span>)}
      </button>
      {clipped && <button type="button" className="event-more" onClick={() => setOpen(true)}>Leggi tutto <Icon name="down" size={18} /></button>}
      {open && (
        <Drawer title={title} onClose={() => setOpen(false)}>
          <div className="prose">{paragraphs.map((paragraph, index) => <p key={index}>{paragraph}</p>)}</div>
        </Drawer>
      )}
    </div>
  );
}

/** Whether the element hides some of its text; true at first, so that a long one does not jump. */
function useClipped(element: RefObject<HTMLElement | null>): boolean {
  const [clipped, setClipped] = useState(true);
  useEffect(() => {
    const watched = element.current!;
    const observer = new ResizeObserver(() => setClipped(watched.scrollHeight > watched.clientHeight + 1));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return clipped;
}
