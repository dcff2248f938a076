/** The printed list of a hall, row by row with names; drawn only for the print. */
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { seatStates } from '#server/domain/seat/seat-state.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { sectionsOf, type Hall, type OfficeSeat, type Seats, type StateCounts } from './seats.ts';
import { seatStateWords } from '#apps/admin/kit/words.ts';
import { CodeSheet } from '#apps/admin/seats/kept/code-sheet.tsx';
import type { Contingent } from '#apps/admin/seats/kept/use-contingents.ts';
import paperStyles from '#apps/admin/kit/page/paper.module.css';
import styles from './print.module.css';

interface PrintedProps {
  hall: Hall;
  seats: readonly OfficeSeat[];
  areas: Seats['areas'];
  counts: StateCounts;
  /** If set, this code sheet is printed instead of the hall. */
  sheet: Contingent | null;
}

/** The browser's own print command prints the list too. */
export function PrintedHall(props: PrintedProps) {
  const [printedAt, setPrintedAt] = useState<number | null>(null);
  useEffect(() => {
    // The list must be drawn before the browser lays out the paper.
    const begin = () => flushSync(() => setPrintedAt(Date.now()));
    const end = () => setPrintedAt(null);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  if (printedAt === null) return null;
  return props.sheet === null ? (
    <Paper {...props} printedAt={printedAt} />
  ) : (
    <div className={paperStyles.paper}>
      <CodeSheet contingent={props.sheet} event={props.hall.event} />
    </div>
  );
}

function Paper({ hall, seats, areas, counts, printedAt }: PrintedProps & { printedAt: number }) {
  return (
    <div className={paperStyles.paper}>
      <h1>{hall.event.title}</h1>
      <p>
        {formatLongDate(hall.event.starts_at)} · {hall.event.venue_title} · stampato{' '}
        {formatListDate(printedAt)}
      </p>
      <p>
        {seatStates
          .map((state) => `${seatStateWords[state].many} ${counts[state].toLocaleString('it-IT')}`)
          .join(' · ')}
      </p>
      {sectionsOf(seats).map((section) => (
        <section key={section.name}>
          <h2>{section.name}</h2>
          {section.rows.map((row) => (
            <PaperRow key={row.name ?? ''} name={row.name} seats={row.seats} areas={areas} />
          ))}
        </section>
      ))}
    </div>
  );
}

interface PaperRowProps {
  name: string | null;
  seats: readonly OfficeSeat[];
  areas: Seats['areas'];
}

function PaperRow({ name, seats, areas }: PaperRowProps) {
  const numbered = seats.filter((seat) => !seat.isArea);
  const standing = Map.groupBy(
    seats.filter((seat) => seat.isArea),
    (seat) => seat.object,
  );
  return (
    <>
      {numbered.length > 0 && (
        <div className={styles.row}>
          {name !== null && <h3>{name.charAt(0).toUpperCase() + name.slice(1)}</h3>}
          <ul>
            {numbered.map((seat) => (
              <li key={seat.place} className={seat.state === 'free' ? styles.free : undefined}>
                <b>{seat.seat}</b> {tellSeat(seat)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {[...standing].map(([object, places]) => {
        const people = places.filter((seat) => seat.occupant !== null);
        const area = areas.find((known) => known.object === object);
        return (
          <div className={styles.row} key={object}>
            <h3>
              {places[0]?.seat}: {people.length} presi
              {area && area.held + area.blocked > 0
                ? `, ${area.held + area.blocked} nel carrello o bloccati`
                : ''}{' '}
              su {places.length}
            </h3>
            <ul>
              {people.map((seat) => (
                <li key={seat.place}>{tellSeat(seat)}</li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}

function tellSeat({ state, occupant }: OfficeSeat): string {
  if (state === 'free') return '';
  if (occupant === null) return seatStateWords[state].word.toLowerCase();
  const name = occupant.holder ?? occupant.buyer_name ?? 'senza nome';
  const who = `${isolate(name)} ${occupant.order_number}`;
  return state === 'sold' ? who : `${who} (${seatStateWords[state].word.toLowerCase()})`;
}
