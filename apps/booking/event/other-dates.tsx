/** The other dates of the same show, with links; a date that cannot be bought says why. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatShortDate } from '#apps/shared/format.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { sayLeft, sayState } from './sale-words.ts';
import styles from './other-dates.late.module.css';

type OtherDate = EventReply['other_dates'][number];

/** More dates than this are folded away. */
const shownAtOnce = 6;

export function OtherDates({ dates }: { dates: readonly OtherDate[] }): ReactNode {
  const rest = dates.slice(shownAtOnce);
  return (
    <nav className={`${styles.dates} no-print`} aria-labelledby="altre-date">
      <h2 id="altre-date">Altre date</h2>
      <DateList dates={dates.slice(0, shownAtOnce)} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length === 1 ? 'Ancora una data' : `Ancora ${rest.length} date`}</summary>
          <DateList dates={rest} />
        </details>
      )}
    </nav>
  );
}

function DateList({ dates }: { dates: readonly OtherDate[] }) {
  return (
    <ul>
      {dates.map((date) => (
        <li key={date.id}>
          <Link to={`/event/${date.id}`}>
            <time dateTime={date.starts_at}>{formatShortDate(date.starts_at)}</time>{' '}
            <small>{sayState(date.sales) ?? sayLeft(date)}</small>
          </Link>
        </li>
      ))}
    </ul>
  );
}
