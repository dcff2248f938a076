/** The dates of a show above its seat map, because a visitor chooses the date first (RULES W4). */
import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { latePart } from '#apps/shared/late-part.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { lowestPrice, type PricedCategory } from '#server/domain/price/pricing.ts';
import type { SeatSelection, SelectionState } from '#apps/booking/event/seats/selection.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { hasPlaces, isSoldOut } from './sale-words.ts';
import { DateLink, type ShowDate } from './date-link.tsx';
import { WishNote } from './wish-note.tsx';
import styles from './date-strip.late.module.css';

// Fetched late, because few visitors open it.
const MonthView = latePart(() => import('./month-view.tsx').then((part) => part.MonthView));

/** A longer show also has a calendar, and its strip has only the dates around the shown one. */
const mostInStrip = 12;

export interface DateStripProps {
  page: EventReply;
  pricing: readonly PricedCategory[];
  selection: SeatSelection;
  state: SelectionState;
}

export function DateStrip({ page, pricing, selection, state }: DateStripProps) {
  const [isOpen, setOpen] = useState(false);
  const { id } = page.event;
  const dates = datesOf(page, pricing);
  const at = dates.findIndex((date) => date.id === id);
  const list = useRef<HTMLUListElement>(null);
  const isLong = dates.length > mostInStrip;
  const first = Math.max(0, Math.min(at - mostInStrip / 2, dates.length - mostInStrip));
  // Moves the list only: scrollIntoView() would move the page, too.
  useLayoutEffect(() => {
    const shown = list.current?.querySelector(`[href$="/${id}"]`)?.parentElement;
    if (list.current && shown)
      list.current.scrollLeft =
        shown.offsetLeft - (list.current.clientWidth - shown.offsetWidth) / 2;
  }, [id]);
  return (
    <nav className={`${styles.dates} no-print`} aria-labelledby="date">
      <div className={styles.head}>
        <h2 id="date">{sayHeading(page, dates)}</h2>
        {isLong && (
          <button
            type="button"
            className="ui-button ui-button-quiet needs-script"
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <Icon name="calendar" /> Tutte le {dates.length} date
          </button>
        )}
      </div>
      <ul ref={list} className={styles.list}>
        {dates.slice(first, first + mostInStrip).map((date) => (
          <li key={date.id}>
            <DateLink date={date} isShown={date.id === id} selection={selection} state={state} />
          </li>
        ))}
      </ul>
      {state.choices.length === 0 && <WishNote page={page} selection={selection} />}
      {isOpen && (
        <Suspense>
          <MonthView
            title={page.event.title}
            dates={dates}
            shown={id}
            selection={selection}
            state={state}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </nav>
  );
}

function datesOf({ event, other_dates, ...page }: EventReply, pricing: readonly PricedCategory[]) {
  const shown: ShowDate = { ...event, ...page, from_price: lowestPrice(pricing) };
  return [...other_dates, shown].sort(
    (a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at) || (a.id < b.id ? -1 : 1),
  );
}

function sayHeading(page: EventReply, dates: readonly ShowDate[]): string {
  return isSoldOut(page) && dates.some(hasPlaces) ? 'Scegli un’altra data' : 'Scegli la data';
}
