/** On a phone the seat map lies below the first screen: the way to it, with the lowest price, stays within reach of the thumb until it is in sight. */
import { useEffect, useState, type MouseEvent } from 'react';
import { formatEuro } from '#apps/shared/format.ts';
import styles from './to-seats.module.css';

/** The place of the map on the page. */
export const seatsId = 'posti';

/** `from`: in cents, null where no price is known. */
export function ToSeats({ from }: { from: number | null }) {
  const [arrived, setArrived] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([seats]) =>
      setArrived(Boolean(seats && (seats.isIntersecting || seats.boundingClientRect.top < 0))),
    );
    const place = document.getElementById(seatsId);
    if (place) watch.observe(place);
    return () => watch.disconnect();
  }, []);

  // Without a step of the browser's history.
  function goThere(event: MouseEvent) {
    event.preventDefault();
    document.getElementById(seatsId)?.scrollIntoView();
  }
  if (arrived) return null;
  return (
    <div className={`${styles.bar} no-print`}>
      <a
        className="ui-button ui-button-primary ui-button-wide"
        href={`#${seatsId}`}
        onClick={goThere}
      >
        Scegli i posti{from !== null && ` · da ${formatEuro(from)}`}
      </a>
    </div>
  );
}
