/**
 * The round booking button at the right of the header, hidden while no seat is chosen (RULES W5).
 */
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import type { Booking } from './book.ts';
import { payWords } from './sale-words.ts';
import styles from './book-button.module.css';

interface BookButtonProps {
  places: number;
  /** Cents; null if a price is unknown. */
  sum: number | null;
  booking: Booking;
}

function sayButton(places: number, sum: number | null): string {
  const chosen = formatCount(places, 'posto scelto', 'posti scelti');
  return sum === 0
    ? `${payWords(0)}, ${chosen}, gratis`
    : `Procedi al pagamento, ${chosen}, ordine con obbligo di pagare ${formatEuro(sum)}`;
}

export function BookButton({ places, sum, booking }: BookButtonProps) {
  const empty = places === 0;
  return (
    <div className={`${styles.book} ${empty ? styles.empty : ''} no-print needs-script`}>
      {!empty && (
        <>
          <span className={styles.bubble} aria-hidden="true">
            {sum === 0 ? payWords(0) : 'Procedi al pagamento'}
          </span>
          <span className={styles.waves} aria-hidden="true">
            <span />
            <span />
          </span>
        </>
      )}
      <AsyncButton
        variant="bare"
        className={styles.button}
        busy={booking.busy}
        disabled={empty}
        aria-hidden={empty}
        aria-label={sayButton(places, sum)}
        onClick={booking.book}
      >
        <Icon name={empty ? 'cart-empty' : 'cart'} size={28} />
        <span className={styles.badge} aria-hidden="true">
          {places}
        </span>
      </AsyncButton>
    </div>
  );
}
