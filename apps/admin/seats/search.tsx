/** A search field that finds seats by seat, name or order, usable by keyboard. */
import { useRef, type FormEvent } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useRowKeys, useSlashKey } from '#apps/admin/shell/keys.ts';
import { SeatMark } from './figures.tsx';
import type { OfficeSeat } from './seats.ts';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import { seatStateWords } from '#apps/admin/kit/words.ts';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './seat-map.module.css';

/** Told without scrolling; the map shows them all. */
const mostShown = 8;

export interface SeatSearchProps {
  q: string;
  found: readonly OfficeSeat[];
  waiting: boolean;
  onSearch: (text: string) => void;
  onVisit: (seat: OfficeSeat) => void;
}

export function SeatSearch({ q, found, waiting, onSearch, onVisit }: SeatSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const { typed, type, apply } = useTypedSearch(q, onSearch);
  useSlashKey(field);
  useRowKeys(field);

  function submit(event: FormEvent) {
    event.preventDefault();
    apply();
    // Only what belongs to the text in the field: it may have been typed a moment ago.
    if (typed.trim() === q && !waiting && found[0]) onVisit(found[0]);
  }

  return (
    <search className={styles.search}>
      <form className={filterStyles.toolbar} onSubmit={submit}>
        <span className={filterStyles.search}>
          <Icon name="search" />
          <input
            ref={field}
            className="ui-input"
            type="search"
            aria-label="Cerca un posto, un nome o un ordine"
            placeholder="Posto, nome o numero d’ordine"
            value={typed}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            aria-keyshortcuts="/"
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && type('')}
          />
          <kbd aria-hidden="true">/</kbd>
        </span>
      </form>
      <p
        aria-live="polite"
        className={q === '' ? 'visually-hidden' : `${textStyles.soft} ${styles.result}`}
      >
        {q === '' || waiting
          ? ''
          : found.length === 0
            ? 'Nessun posto trovato.'
            : `${formatCount(found.length, 'posto trovato', 'posti trovati')}${found.length > mostShown ? `: i primi ${mostShown} qui, tutti sulla pianta` : ''}`}
      </p>
      {q !== '' && found.length > 0 && (
        <ul className={styles.found} aria-label="Posti trovati">
          {found.slice(0, mostShown).map((seat) => (
            <li key={seat.place}>
              <button type="button" data-row onClick={() => onVisit(seat)}>
                <SeatMark state={seat.state} />
                <span>
                  {seat.name}
                  <span className={`${textStyles.soft} ${styles.under}`}>
                    {[
                      seatStateWords[seat.state].word,
                      seat.occupant?.holder ?? seat.occupant?.buyer_name,
                      seat.occupant?.order_number,
                    ]
                      .filter((part) => part !== null && part !== undefined)
                      .join(' · ')}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}
