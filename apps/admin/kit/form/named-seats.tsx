/** A summary before an act: the sum and the seats. */
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { Scroller } from '#apps/admin/kit/page/scroller.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import styles from './named-seats.module.css';

interface NamedSeatsProps {
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
    <Facts className={styles.preview}>
      {sum !== undefined && (
        <Fact name={sumLabel}>
          <b>{formatEuro(sum)}</b>
        </Fact>
      )}
      <Fact name={formatCount(seats.length, one, many)}>
        {seats.length === 0 ? 'nessuno' : <SeatNames seats={seats} />}
      </Fact>
    </Facts>
  );
}

function SeatNames({ seats }: { seats: readonly string[] }) {
  return (
    <Scroller aria-label="Posti">
      {seats.map((seat, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may repeat and never move
        <li key={index}>{seat}</li>
      ))}
    </Scroller>
  );
}
