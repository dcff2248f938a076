/** What is about to be changed, in words: the sum and the seats. */
import { useRef } from 'react';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';

export interface NamedSeatsProps {
  seats: readonly string[];
  /** Cents. */ sum?: number;
  sumLabel?: string;
  one?: string;
  many?: string;
}

export function NamedSeats({
  seats,
  sum,
  sumLabel = 'Somma',
  one = 'posto',
  many = 'posti',
}: NamedSeatsProps) {
  return (
    <dl className="facts preview">
      {sum !== undefined && (
        <div>
          <dt>{sumLabel}</dt>
          <dd>
            <b>{formatEuro(sum)}</b>
          </dd>
        </div>
      )}
      <div>
        <dt>{formatCount(seats.length, one, many)}</dt>
        <dd>{seats.length === 0 ? 'nessuno' : <SeatNames seats={seats} />}</dd>
      </div>
    </dl>
  );
}

function SeatNames({ seats }: { seats: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const scrolls = useOverflow(list);
  return (
    <ul
      ref={list}
      aria-label="Posti"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls must be reachable with the keyboard
      tabIndex={scrolls ? 0 : undefined}
    >
      {seats.map((seat, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- places of one standing area have the same name, and the list never moves
        <li key={index}>{seat}</li>
      ))}
    </ul>
  );
}
