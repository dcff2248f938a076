/** One date of a show as a link: day, hour, lowest price, and why it cannot be bought. */
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { formatShortDate, sayLowest, sayPrice } from '#apps/shared/format.ts';
import type { SeatSelection, SelectionState } from '#apps/booking/event/seats/selection.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { hasPlaces } from './sale-words.ts';
import { keepWish } from './wish.ts';
import styles from './date-strip.late.module.css';

export type ShowDate = EventReply['other_dates'][number];

interface DateLinkProps {
  date: ShowDate;
  isShown: boolean;
  selection: SeatSelection;
  state: SelectionState;
  /** In a calendar the day is written already. */ hourOnly?: boolean;
  onGone?: () => void;
}

export function DateLink({ date, isShown, hourOnly = false, ...leaving }: DateLinkProps) {
  const to = `/event/${date.id}`;
  const leave = useLeave(to, leaving);
  const [day, hour] = formatShortDate(date.starts_at).split(' · ');
  const state = sayDate(date, hourOnly ? shortWords : closedWords);
  const sells = hasPlaces(date) || date.sales.state === 'not_yet';
  return (
    <Link
      to={to}
      className={sells ? styles.date : `${styles.date} ${styles.gone}`}
      aria-current={isShown ? 'page' : undefined}
      onClick={isShown ? undefined : leave}
    >
      <time dateTime={date.starts_at}>
        <span className={hourOnly ? 'visually-hidden' : undefined}>{day}</span>
        <span className="visually-hidden"> · </span>
        <span className={styles.hour}>{hour}</span>
      </time>
      {sells && date.from_price !== null && (
        <span className={styles.price}>
          {hourOnly && date.from_price > 0 && <span className="visually-hidden">da </span>}
          {hourOnly ? sayPrice(date.from_price) : sayLowest(date.from_price)}
        </span>
      )}{' '}
      {state !== null && <small>{state}</small>}
    </Link>
  );
}

const closedWords = {
  not_yet: 'Prossimamente',
  paused: 'Vendita sospesa',
  closed: 'Vendita chiusa',
  cancelled: 'Annullato',
};
const shortWords = { ...closedWords, not_yet: 'Presto', paused: 'Sospesa', closed: 'Chiusa' };
const leftWords = { many: null, few: 'Ultimi posti', none: 'Esaurito' };

/** A few words for a narrow place; null: the date is on sale as usual. */
function sayDate(
  { sales, availability, postponed_from }: ShowDate,
  closed: typeof closedWords,
): string | null {
  const state = sales.state === 'open' ? leftWords[availability] : closed[sales.state];
  return state ?? (postponed_from ? 'Rinviato' : null);
}

/** The longest wait until the seats of the date that the visitor leaves are given back. */
const releaseMs = 3_000;

/**
 * Before another date opens, the choice on this one is stored as a wish and its seats are given
 * back. A click that opens a new tab leaves this one as it is.
 */
function useLeave(
  to: string,
  { selection, state, onGone }: Omit<DateLinkProps, 'date' | 'isShown'>,
) {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const { chart } = selection;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    if (chart === null || state.choices.length === 0) return onGone?.();
    event.preventDefault();
    const from = location.pathname;
    const release = async () => {
      keepWish(from, await chart.listSelectedObjects());
      await chart.clearSelection();
    };
    // If the seats stay held, they are free when their time is over.
    void Promise.race([release().catch(() => {}), wait(releaseMs)]).then(() => {
      onGone?.();
      void navigate(to);
    });
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
