/** A search field that finds seats by name of the seat, person or order, usable by keyboard. */
import type { FormEvent } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { SearchField } from '#apps/admin/kit/list/filters.tsx';
import { SeatMark } from './figures.tsx';
import type { OfficeSeat } from './seats.ts';
import { useTypedSearch } from '#apps/admin/kit/list/typed-search.ts';
import { SecondLine } from '#apps/admin/kit/list/table.tsx';
import { seatStateWords } from '#apps/admin/kit/words.ts';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './seat-map.module.css';

/** This many fit without scrolling; the map shows all. */
const mostShown = 8;

interface SeatSearchProps {
  q: string;
  found: readonly OfficeSeat[];
  waiting: boolean;
  onSearch: (text: string) => void;
  onVisit: (seat: OfficeSeat) => void;
}

export function SeatSearch({ q, found, waiting, onSearch, onVisit }: SeatSearchProps) {
  const search = useTypedSearch(q, onSearch);

  function submit(event: FormEvent) {
    event.preventDefault();
    search.apply();
    // Enter waits until the results belong to the present text.
    if (search.typed.trim() === q && !waiting && found[0]) onVisit(found[0]);
  }

  return (
    <search className={styles.search}>
      <form className={filterStyles.toolbar} onSubmit={submit}>
        <SearchField
          search={search}
          label="Cerca un posto, un nome o un ordine"
          hint="Posto, nome o numero d’ordine"
        />
      </form>
      <p
        aria-live="polite"
        className={q === '' ? 'visually-hidden' : `${textStyles.soft} ${styles.result}`}
      >
        {q === '' || waiting ? '' : tellFound(found.length)}
      </p>
      {q !== '' && found.length > 0 && (
        <ul className={styles.found} aria-label="Posti trovati">
          {found.slice(0, mostShown).map((seat) => (
            <li key={seat.place}>
              <button type="button" data-row onClick={() => onVisit(seat)}>
                <SeatMark state={seat.state} />
                <span>
                  {seat.name}
                  <SecondLine>
                    {joinParts(
                      seatStateWords[seat.state].word,
                      seat.occupant?.holder ?? seat.occupant?.buyer_name,
                      seat.occupant?.order_number,
                    )}
                  </SecondLine>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

function tellFound(count: number): string {
  if (count === 0) return 'Nessun posto trovato.';
  const more = count > mostShown ? `: i primi ${mostShown} qui, tutti sulla pianta` : '';
  return `${formatCount(count, 'posto trovato', 'posti trovati')}${more}`;
}
