/** The seats of a hall as a list by section, which suits keyboards and screen readers. */
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { wholeWords } from '#server/domain/seat/seat-name.ts';
import type { SeatState as State } from '#server/domain/seat/seat-state.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { SeatState } from './figures.tsx';
import {
  isInState,
  sectionsOf,
  speakerOf,
  sumOf,
  togetherOf,
  type OfficeSeat,
  type Seats,
  type Section,
} from './seats.ts';
import { mapStatusWords, seatStateWords } from '#apps/admin/kit/words.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './list.module.css';

interface SeatListProps {
  seats: readonly OfficeSeat[];
  areas: Seats['areas'];
  state: State | null;
  chosen: readonly string[];
  onVisit: (seat: OfficeSeat) => void;
}

export function SeatList({ seats, areas, state, chosen, onVisit }: SeatListProps) {
  const [takenOnly, setTakenOnly] = useState(true);
  const sections = useMemo(() => sectionsOf(seats), [seats]);
  const wanted = (seat: OfficeSeat) =>
    state !== null ? isInState(seat, state) : !takenOnly || seat.state !== 'free';
  return (
    <Panel className={styles.list} aria-labelledby="list-title">
      <div className={panelStyles.title}>
        <h2 id="list-title">Elenco dei posti</h2>
        {state === null ? (
          <Check small label="Solo i posti occupati" checked={takenOnly} onChange={setTakenOnly} />
        ) : (
          <p className={textStyles.soft}>Solo: {seatStateWords[state].many.toLowerCase()}</p>
        )}
      </div>
      {sections.map((section) => (
        <SectionSeats
          key={section.name}
          section={section}
          wanted={wanted}
          areas={areas}
          withFree={state === null && !takenOnly}
          chosen={chosen}
          onVisit={onVisit}
        />
      ))}
    </Panel>
  );
}

interface SectionSeatsProps {
  section: Section;
  wanted: (seat: OfficeSeat) => boolean;
  areas: Seats['areas'];
  withFree: boolean;
  chosen: readonly string[];
  onVisit: (seat: OfficeSeat) => void;
}

/** Rows are drawn once a section is opened, because an arena has twenty thousand seats. */
function SectionSeats({ section, wanted, areas, withFree, chosen, onVisit }: SectionSeatsProps) {
  const [open, setOpen] = useState(false);
  // Free places of a standing area have no names; they are shown as a number.
  const isShown = (seat: OfficeSeat) => wanted(seat) && (!seat.isArea || seat.state !== 'free');
  const rows = open ? togetherOf(section.seats).filter((places) => places.some(isShown)) : [];
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="forward" size={16} /> <strong>{section.name}</strong>{' '}
        <span className={textStyles.soft}>{tellSection(section, areas)}</span>
      </summary>
      {open &&
        (rows.length === 0 ? (
          <p className={`${textStyles.soft} ${styles.none}`}>
            {withFree ? 'Posti liberi senza numero.' : 'Nessun posto di questi, qui.'}
          </p>
        ) : (
          <Table
            cards
            className={styles.seats}
            columns={['Posto', 'Stato', 'Chi', 'Ordine', 'Tipo', { number: 'Prezzo' }, 'Ingresso']}
          >
            <tbody>
              {rows.map((together) => (
                <SeatLine
                  key={together[0].place}
                  together={together}
                  isChosen={chosen.includes(together[0].object)}
                  onVisit={onVisit}
                />
              ))}
            </tbody>
          </Table>
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

interface SeatLineProps {
  /** One seat, or the places of a table sold whole. */
  together: [OfficeSeat, ...OfficeSeat[]];
  isChosen: boolean;
  onVisit: (seat: OfficeSeat) => void;
}

function SeatLine({ together, isChosen, onVisit }: SeatLineProps) {
  const seat = speakerOf(together);
  const { occupant } = seat;
  const guests = together.flatMap((one) => one.occupant ?? []);
  const admitted = guests.filter(({ admitted_at }) => admitted_at !== null);
  const chosenClass = isChosen ? tableStyles.highlighted : undefined;
  return (
    <tr
      className={seat.unguarded ? tableStyles.attention : chosenClass}
      aria-current={isChosen ? true : undefined}
    >
      <th scope="row">
        <button
          type="button"
          className={textStyles.link}
          onClick={() => onVisit(seat)}
          title="Mostra sulla pianta"
        >
          {wholeLine(together)}
        </button>
      </th>
      <td className={styles.state}>
        <SeatState state={seat.state} />
        {seat.unguarded && (
          <span className={`${textStyles.soft} ${tableStyles.under} ${textStyles.bad}`}>
            Libero sulla pianta
          </span>
        )}
      </td>
      <td className={styles.who}>
        {occupant === null ? (
          <SecondLine>
            {seat.block?.reason ?? (seat.mapStatus === null ? '–' : mapStatusWords(seat.mapStatus))}
          </SecondLine>
        ) : (
          (occupant.holder ?? occupant.buyer_name ?? <SecondLine>Non ancora indicato</SecondLine>)
        )}
      </td>
      <td>
        {occupant !== null && (
          <Link className={textStyles.code} to={`/orders/${encodeURIComponent(occupant.order_id)}`}>
            {occupant.order_number}
          </Link>
        )}
      </td>
      <td className={styles.type}>{occupant?.type_label}</td>
      <td className={`${tableStyles.number} ${styles.total}`}>
        {occupant !== null && formatEuro(sumOf(guests))}
      </td>
      <td className={styles.admitted}>
        {seat.inWhole && guests.length > 0
          ? `${admitted.length} di ${guests.length}`
          : occupant?.admitted_at != null && (
              <time dateTime={occupant.admitted_at}>{formatListDate(occupant.admitted_at)}</time>
            )}
      </td>
    </tr>
  );
}

/** "Tavolo 4, intero: 6 di 10 posti", or the name of the one seat. */
function wholeLine(together: [OfficeSeat, ...OfficeSeat[]]): string {
  const [{ kind, inWhole, objectName, name }] = together;
  if (!inWhole) return name;
  const places = together.length;
  const guests = together.filter(({ occupant }) => occupant !== null).length;
  return wholeWords(kind, { name: objectName, paid: guests || places, places });
}
