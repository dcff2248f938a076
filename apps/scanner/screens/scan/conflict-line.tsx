/** The scanning screen's line about tickets let in twice; a tap shows which and where. */
import { useConflictAlarm } from './use-conflicts.ts';
import styles from './scan.module.css';

export function ConflictLine({ onShow }: { onShow: () => void }) {
  const conflicts = useConflictAlarm();
  const [first] = conflicts;
  // The live region is on the page before its message, so that a screen reader announces it.
  return (
    <div role="alert" className={styles.alarms} data-conflicts={conflicts.length}>
      {first && (
        <button type="button" className={styles.alarm} onClick={onShow}>
          <span>
            {conflicts.length === 1
              ? `Doppio ingresso: ${first.seat ?? first.place ?? 'un biglietto'}`
              : `${conflicts.length} doppi ingressi`}
          </span>
          <strong>Guarda</strong>
        </button>
      )}
    </div>
  );
}
