/** The time left for the held seats. */
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayMinutes, useTimeLeft } from '#apps/booking/shell/time-left.ts';
import styles from './hold-clock.late.module.css';

/** With this much time left the clock turns amber and is read aloud once. */
const soonMs = 120_000;
/** The visitor can ask for more time only when less than this is left. */
const prolongMs = 300_000;

/** `onProlong` undefined: there is no more time to ask for. */
export function HoldClock({
  deadline,
  onProlong,
}: {
  deadline: number;
  onProlong?: () => Promise<void>;
}) {
  const left = useTimeLeft(deadline);
  const soon = left <= soonMs;
  return (
    <>
      <span className={soon ? `${styles.clock} ${styles.soon}` : styles.clock} role="timer">
        <Icon name="clock" size={18} /> I posti sono tuoi per {sayMinutes(left)}
      </span>
      {onProlong !== undefined && left > 0 && left <= prolongMs && (
        <AsyncButton variant="quiet" className={styles.prolong} onClick={onProlong}>
          Ho bisogno di più tempo
        </AsyncButton>
      )}
      <output className="visually-hidden" aria-label="Tempo">
        {soon ? 'Il tempo sta per scadere: mancano meno di due minuti.' : ''}
      </output>
    </>
  );
}
