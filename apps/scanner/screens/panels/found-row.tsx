/** One result of "Cerca": a place with its guest, or a box that opens into its seats. */
import { letGoWords } from '#server/domain/door/kept.ts';
import { isSold } from '#server/domain/door/presence.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { FoundBox, FoundPlace } from '#apps/scanner/list/search.ts';
import { DoorNote } from '#apps/scanner/screens/parts.tsx';
import { categoryBeside, joinFacts, sayCount } from '#apps/scanner/screens/words.ts';
import { SeatWords } from '#apps/scanner/screens/scan/verdict/verdict-parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import rows from './rows.module.css';
import styles from './search-panel.module.css';

interface FoundRowProps {
  found: FoundPlace;
  /** The box whose name is the heading above the seat. */
  box?: string;
  onChosen: (place: string) => void;
}

export function FoundRow({ found, box, onChosen }: FoundRowProps) {
  const { seat, category, ticket, inside, name, buyer, order_number, marks = [] } = found;
  const about = joinFacts(
    name ?? ticket?.initials,
    categoryBeside({ seat, category }),
    ticket?.type_label,
    order_number,
  );
  return (
    <li>
      <button type="button" className={rows.button} onClick={() => onChosen(found.place)}>
        <span className={rows.text}>
          <strong>
            <SeatWords seat={box === undefined ? seat : seat.slice(box.length + 2)} />
          </strong>
          {buyer !== null && buyer !== name && (
            <span>
              Comprato da <bdi>{buyer}</bdi>
            </span>
          )}
          <span className={parts.soft}>{about === '' ? 'Non venduto' : about}</span>
          {marks.length > 0 && <span>{joinFacts(...marks)}</span>}
          {ticket?.door_note && <DoorNote text={ticket.door_note} />}
        </span>
        <TicketBadge ticket={ticket} inside={inside} />
      </button>
    </li>
  );
}

interface BoxRowProps {
  found: FoundBox;
  isOpen: boolean;
  onToggle: () => void;
  onChosen: (place: string) => void;
}

/** "Palco 3: 4 posti, 2 entrati" */
export function BoxRow({ found: { seat, seats }, isOpen, onToggle, onChosen }: BoxRowProps) {
  return (
    <li>
      <button type="button" className={rows.button} aria-expanded={isOpen} onClick={onToggle}>
        <span className={rows.text}>
          <strong>
            <SeatWords seat={seat} />
          </strong>
          <span className={parts.soft}>{boxWords(seats)}</span>
        </span>
        <span className={isOpen ? styles.turned : undefined}>
          <Icon name="down" size={24} />
        </span>
      </button>
      {isOpen && (
        <ul className={styles.seats} aria-label={seat}>
          {seats.map((one) => (
            <FoundRow key={one.place} found={one} box={seat} onChosen={onChosen} />
          ))}
        </ul>
      )}
    </li>
  );
}

function boxWords(seats: readonly FoundPlace[]): string {
  const sold = seats.filter(({ ticket }) => ticket !== null && isSold(ticket.state)).length;
  const inside = seats.filter((seat) => seat.inside).length;
  const places = sayCount(seats.length, 'posto', 'posti');
  if (sold === 0) return `${places}, nessuno venduto`;
  const fewer = sold < seats.length ? `, ${sayCount(sold, 'venduto', 'venduti')}` : '';
  return `${places}${fewer}, ${sayCount(inside, 'entrato', 'entrati')}`;
}

const ticketWords = {
  void: 'Annullato',
  refunded: 'Rimborsato',
  unpaid: 'Da pagare',
  trial: 'Prova',
  other: 'Da verificare',
  let_go: letGoWords,
} as const;

function TicketBadge({ ticket, inside }: Pick<FoundPlace, 'ticket' | 'inside'>) {
  if (ticket === null) return <Badge>Libero</Badge>;
  if (inside)
    return (
      <Badge tone="good" icon="check">
        Dentro
      </Badge>
    );
  if (ticket.state === 'valid' || ticket.state === 'kept') return <Badge icon="clock">Fuori</Badge>;
  return (
    <Badge tone="warn" icon="warning">
      {ticketWords[ticket.state]}
    </Badge>
  );
}
