/** The lowest price and the way to the seat map, on the first screen of every width. */
import { sayLowest } from '#apps/shared/format.ts';
import type { MouseEvent } from 'react';
import { Badge } from '#apps/shared/ui/badge.tsx';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { sayLeft } from '#apps/booking/event/sale-words.ts';
import styles from './to-seats.module.css';

/** The id of the map's element. */
export const seatsId = 'posti';

interface ToSeatsProps {
  page: EventReply;
  /** In cents; null if no price is known. */ from: number | null;
  /** A place can be chosen now. */ leads: boolean;
}

export function ToSeats({ page, from, leads }: ToSeatsProps) {
  const left = sayLeft(page);
  const price = from !== null && sayLowest(from);
  return (
    <p className={styles.offer}>
      {leads ? (
        <a
          className="ui-button ui-button-primary no-print needs-script"
          href={`#${seatsId}`}
          onClick={goThere}
        >
          Scegli i posti{price && ` · ${price}`}
        </a>
      ) : (
        price
      )}
      {left !== null && <Badge tone={leads ? 'warn' : 'neutral'}>{left}</Badge>}
    </p>
  );
}

/** Scrolls without an entry in the browser's history; the next Tab goes on from there. */
function goThere(event: MouseEvent) {
  event.preventDefault();
  const seats = document.getElementById(seatsId);
  seats?.scrollIntoView();
  seats?.focus({ preventScroll: true });
}
