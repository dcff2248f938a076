/** The home page: events on sale, soonest first; past ones are folded away. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatCount, formatShortDate, sayLowest } from '#apps/shared/format.ts';
import { Picture } from '#apps/shared/picture.tsx';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge, type BadgeTone } from '#apps/shared/ui/badge.tsx';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { listPublished } from '#server/contract/events.ts';
import type { SalesState } from '#server/domain/event/event.ts';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';
import { PageFooter } from '#apps/booking/shell/page/page-footer.tsx';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { sayLeft, sayState } from '#apps/booking/event/sale-words.ts';
import { PageBar } from '#apps/booking/shell/page/page-bar.tsx';
import {
  groupDates,
  sayDates,
  sayPostponed,
  type ListedEvent,
  type ShownDates,
} from './group-dates.ts';
import { reminderId } from '#apps/booking/reminder/place.ts';
import { matches, noWish, ProgrammeFilter } from './filter.tsx';
import frame from '#apps/booking/shell/page/frame.module.css';
import styles from './home.module.css';

export function Home() {
  usePageTitle(null);
  const list = useEndpoint(listPublished, {});
  return (
    <div className={frame.page}>
      <header className={styles.head}>
        <PageBar isHome onPicture />
        <h1 className={styles.title}>Il posto giusto, dal palco alla poltrona</h1>
        <p className={styles.lead}>
          Guarda la pianta del teatro, scegli dove sederti e paga online.{' '}
          <span>I biglietti sono subito nella pagina del tuo ordine.</span>
        </p>
      </header>
      <main className={styles.main} tabIndex={-1}>
        {list.isPending && <Spinner />}
        {list.isError && list.data === undefined && <ErrorView onRetry={() => list.refetch()} />}
        {list.data !== undefined && <Programme events={list.data.items} />}
      </main>
      <PageFooter />
    </div>
  );
}

/** A longer programme gets a search. */
const mostSeenAtOnce = 8;

function Programme({ events }: { events: readonly ListedEvent[] }) {
  const { now } = useDrawnPage().data;
  const coming = events.filter((event) => Date.parse(event.starts_at) >= now);
  const past = events.filter((event) => Date.parse(event.starts_at) < now);
  const gone = groupDates(past);
  const [wish, setWish] = useState(noWish);
  const shows = groupDates(coming);
  const found = groupDates(coming.filter((event) => matches(event, wish)));
  return (
    <>
      <h2 className={styles.heading}>In programma</h2>
      {shows.length > mostSeenAtOnce && (
        <ProgrammeFilter events={coming} found={found.length} wish={wish} onWish={setWish} />
      )}
      {coming.length > 0 ? (
        <ShowCards shows={found} />
      ) : (
        <div className={styles.empty}>
          <Icon name="calendar" size={40} />
          <p>Nessuno spettacolo in programma, per ora.</p>
          <p className="soft">Torna a trovarci: la nuova stagione sta arrivando.</p>
        </div>
      )}
      {past.length > 0 && (
        <details className={styles.past}>
          <summary>
            <Icon name="forward" />{' '}
            {formatCount(gone.length, 'spettacolo passato', 'spettacoli passati')}
          </summary>
          <ShowCards shows={gone} />
        </details>
      )}
    </>
  );
}

function ShowCards({ shows }: { shows: readonly ShownDates[] }) {
  return (
    <ul className={styles.cards}>
      {shows.map(({ shown, dates }) => (
        <li key={shown.id}>
          <ShowCard event={shown} dates={dates} />
          {shown.sales.state === 'not_yet' && (
            <Link className={`${styles.remind} no-print`} to={`/event/${shown.id}#${reminderId}`}>
              <Icon name="mail" size={18} /> Avvisami
              <span className="visually-hidden">
                {' '}
                quando apre la vendita dei biglietti per {shown.title}
              </span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ShowCardProps {
  event: ListedEvent;
  dates: readonly ListedEvent[];
}

/** A card leads to one date, whose page offers the others. */
function ShowCard({ event, dates }: ShowCardProps) {
  const state = sayState(event.sales);
  const left = sayLeft(event);
  return (
    <Link className={styles.card} to={`/event/${event.id}`}>
      <span
        className={
          event.availability === 'none' ? `${styles.picture} ${styles.soldOut}` : styles.picture
        }
      >
        {event.event_ball_image === null ? (
          <Icon name="ticket" size={56} />
        ) : (
          <Picture
            src={event.event_ball_image}
            alt=""
            sizes="(min-width: 768px) 277px, 100vw"
            loading="lazy"
          />
        )}
      </span>
      <div className={styles.text}>
        <CardDates event={event} dates={dates} />
        <h3 className={styles.name}>{event.title}</h3>
        <span className={styles.place}>
          <Icon name="pin" size={18} /> {event.venue_title}
        </span>
        <span className={styles.foot}>
          {event.from_price !== null &&
            (event.sales.state === 'open' || event.sales.state === 'not_yet') && (
              <span className={styles.price}>
                <strong>{sayLowest(event.from_price)}</strong>
              </span>
            )}
          {left !== null && (
            <Badge tone={event.availability === 'none' ? 'neutral' : 'warn'}>{left}</Badge>
          )}
          {state === null ? (
            event.availability !== 'none' && (
              <span className={`${styles.go} no-print`}>
                Scegli i posti <Icon name="forward" size={18} />
              </span>
            )
          ) : (
            <Badge {...looks[event.sales.state]}>{state}</Badge>
          )}
        </span>
      </div>
    </Link>
  );
}

function CardDates({ event, dates }: ShowCardProps) {
  const postponed = sayPostponed(dates);
  return (
    <>
      <span className={styles.date}>
        {sayDates(dates) ?? (
          <time dateTime={event.starts_at}>{formatShortDate(event.starts_at)}</time>
        )}
      </span>
      {postponed !== null && (
        <span>
          <Badge tone="warn">{postponed}</Badge>
        </span>
      )}
    </>
  );
}

const looks: Record<SalesState, { tone: BadgeTone; icon?: IconName }> = {
  open: { tone: 'good' },
  not_yet: { tone: 'primary', icon: 'clock' },
  paused: { tone: 'warn', icon: 'clock' },
  closed: { tone: 'neutral', icon: 'lock' },
  cancelled: { tone: 'bad', icon: 'cross' },
};
