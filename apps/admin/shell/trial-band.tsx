/** The band over every screen while providers are simulated; it cannot be closed. */
import type { House } from './house.ts';
import styles from './trial-band.module.css';

export function TrialBand({ trial }: { trial: NonNullable<House['trial']> }) {
  return (
    <aside className={styles.band} aria-label="Ambiente di prova">
      <strong>PROVA</strong> <span>{whatIsPretended(trial)}</span>
      <span className={styles.more}>: nessun pagamento è vero.</span>
    </aside>
  );
}

function whatIsPretended({ payments, seats }: NonNullable<House['trial']>): string {
  if (payments === 'test_key')
    return seats === null
      ? 'Stripe ha una chiave di prova'
      : 'Stripe con chiave di prova, seats.io simulato';
  return seats === null ? 'Stripe è simulato' : 'Stripe e seats.io sono simulati';
}
