/**
 * A bar on phones that leads to the seat map below and names the lowest price, until the map is
 * in view.
 */
import { useEffect, useState, type MouseEvent } from 'react';
import { formatEuro } from '#apps/shared/format.ts';
import styles from './to-seats.module.css';

/** The id of the map's element. */
export const seatsId = 'posti';

/** `from` is in cents; null if no price is known. */
export function ToSeats({ from }: { from: number | null }) {
  const [arrived, setArrived] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(([seats]) =>
      setArrived(!!seats && (seats.isIntersecting || seats.boundingClientRect.top < 0)),
    );
    const place = document.getElementById(seatsId);
    if (place) watch.observe(place);
    return () => watch.disconnect();
  }, []);

  // Scrolls without an entry in the browser's history.
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
