/** The hall as a list, for keyboards, screen readers and everybody who would rather read: section by section, opened when wanted. */
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SeatState as State } from '#server/domain/seat-state.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { SeatState } from './figures.tsx';
import { isInState, sectionsOf, type OfficeSeat, type Seats, type Section } from './seats.ts';
import { mapStatusWords, seatStateWords } from '#apps/admin/kit/words.ts';

export interface SeatListProps {
  seats: readonly OfficeSeat[];
  areas: Seats['areas'];
  state: State | null;
  chosen: string | null;
  onVisit: (seat: OfficeSeat) => void;
}

export function SeatList({ seats, areas, state, chosen, onVisit }: SeatListProps) {
  const [takenOnly, setTakenOnly] = useState(true);
  const sections = useMemo(() => sectionsOf(seats), [seats]);
  const wanted = (seat: OfficeSeat) =>
    state !== null ? isInState(seat, state) : !takenOnly || seat.state !== 'free';
  return (
    <section className="panel seat-list" aria-labelledby="list-title">
      <div className="section-title">
        <h2 id="list-title">Elenco dei posti</h2>
        {state === null ? (
          <label className="seat-list-filter">
            <input
              type="checkbox"
              checked={takenOnly}
              onChange={(event) => setTakenOnly(event.target.checked)}
            />{' '}
            Solo i posti occupati
          </label>
        ) : (
          <p className="soft">Solo: {seatStateWords[state].many.toLowerCase()}</p>
        )}
      </div>
      {sections.map((section) => (
        <SectionSeats
          key={section.name}
          section={section}
          shown={section.seats.filter(wanted)}
          areas={areas}
          withFree={state === null && !takenOnly}
          chosen={chosen}
          onVisit={onVisit}
        />
      ))}
    </section>
  );
}

interface SectionSeatsProps {
  section: Section;
  shown: readonly OfficeSeat[];
  areas: Seats['areas'];
  withFree: boolean;
  chosen: string | null;
  onVisit: (seat: OfficeSeat) => void;
}

/** The rows are made only when the section is opened: an arena has twenty thousand. */
function SectionSeats({ section, shown, areas, withFree, chosen, onVisit }: SectionSeatsProps) {
  const [open, setOpen] = useState(false);
  // Places of a standing area have no names: those that nobody has are told by their number.
  const rows = shown.filter((seat) => !seat.isArea || seat.state !== 'free');
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="forward" size={16} /> <strong>{section.name}</strong>{' '}
        <span className="soft">{tellSection(section, areas)}</span>
      </summary>
      {open &&
        (rows.length === 0 ? (
          <p className="soft seat-list-none">
            {withFree ? 'Posti liberi senza numero.' : 'Nessun posto di questi, qui.'}
          </p>
        ) : (
          <table className="table seats">
            <thead>
              <tr>
                <th scope="col">Posto</th>
                <th scope="col">Stato</th>
                <th scope="col">Chi</th>
                <th scope="col">Ordine</th>
                <th scope="col">Tipo</th>
                <th scope="col" className="number">
                  Prezzo
                </th>
                <th scope="col">Ingresso</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((seat) => (
                <SeatLine
                  key={seat.place}
                  seat={seat}
                  isChosen={seat.object === chosen}
                  onVisit={onVisit}
                />
              ))}
            </tbody>
          </table>
        ))}
    </details>
  );
}

function tellSection({ seats }: Section, areas: Seats['areas']): string {
  const objects = new Set(seats.map((seat) => seat.object));
  const given = areas
    .filter((area) => objects.has(area.object))
    .reduce((sum, area) => sum + area.held + area.blocked, 0);
  const taken = seats.filter((seat) => seat.state !== 'free').length;
  return `${formatCount(taken + given, 'occupato', 'occupati')} su ${formatCount(seats.length, 'posto', 'posti')}`;
}

function SeatLine({
  seat,
  isChosen,
  onVisit,
}: {
  seat: OfficeSeat;
  isChosen: boolean;
  onVisit: (seat: OfficeSeat) => void;
}) {
  const { occupant } = seat;
  return (
    <tr
      className={seat.unguarded ? 'attention' : isChosen ? 'highlighted' : undefined}
      aria-current={isChosen ? true : undefined}
    >
      <th scope="row" className="cell-seat">
        <button
          type="button"
          className="link"
          onClick={() => onVisit(seat)}
          title="Mostra sulla pianta"
        >
          {seat.name}
        </button>
      </th>
      <td className="cell-state">
        <SeatState state={seat.state} />
        {seat.unguarded && <span className="soft note-bad">Libero sulla pianta</span>}
      </td>
      <td className="cell-who">
        {occupant === null ? (
          <span className="soft">
            {seat.mapStatus === null ? '–' : mapStatusWords(seat.mapStatus)}
          </span>
        ) : (
          (occupant.holder ??
          occupant.buyer_name ?? <span className="soft">Non ancora indicato</span>)
        )}
      </td>
      <td className="cell-order">
        {occupant !== null && (
          <Link className="code" to={`/orders/${encodeURIComponent(occupant.order_id)}`}>
            {occupant.order_number}
          </Link>
        )}
      </td>
      <td className="cell-type">{occupant?.type_label}</td>
      <td className="number cell-total">{occupant !== null && formatEuro(occupant.price_cents)}</td>
      <td className="cell-admitted">
        {occupant?.admitted_at != null && (
          <time dateTime={occupant.admitted_at}>{formatListDate(occupant.admitted_at)}</time>
        )}
      </td>
    </tr>
  );
}
