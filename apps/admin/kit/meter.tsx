/** A bar of people inside, tickets sold and places; it repeats the figures beside it. */
import { joinClasses } from './join-classes.ts';
import styles from './meter.module.css';

interface MeterProps {
  className?: string;
  inside: number;
  sold: number;
  places: number;
}

export function Meter({ inside, sold, places, className }: MeterProps) {
  const share = (of: number) => `${places === 0 ? 0 : Math.min(1, of / places) * 100}%`;
  return (
    <span className={joinClasses(styles.bar, styles.meter, className)} aria-hidden="true">
      <span className={styles.sold} style={{ inlineSize: share(sold) }} />
      <span style={{ inlineSize: share(inside) }} />
    </span>
  );
}
