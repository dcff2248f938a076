/**
 * The scanning screen's line about tickets let in twice, and guests without a valid ticket; a tap
 * shows which and where.
 */
import type { Unseen } from '#apps/scanner/list/conflicts.ts';
import { useConflictAlarm } from './use-conflicts.ts';
import styles from './scan.module.css';

export function ConflictLine({ onShow }: { onShow: () => void }) {
  const unseen = useConflictAlarm();
  const count = unseen.conflicts.length + unseen.guests.length;
  // The live region is on the page before its message, so that a screen reader announces it.
  return (
    <div role="alert" className={styles.alarms} data-conflicts={count}>
      {count > 0 && (
        <button type="button" className={styles.alarm} onClick={onShow}>
          <span>{sayUnseen(unseen)}</span>
          <strong>Guarda</strong>
        </button>
      )}
    </div>
  );
}

function sayUnseen({ conflicts, guests }: Unseen): string {
  const [twice] = conflicts;
  const [guest] = guests;
  if (twice && guest) return `${conflicts.length + guests.length} ingressi da guardare`;
  if (guest)
    // The seat comes first, because a narrow screen cuts the end.
    return guests.length === 1
      ? `${guest.seat}: senza biglietto valido`
      : `${guests.length} senza biglietto valido`;
  return conflicts.length === 1
    ? `Doppio ingresso: ${twice?.seat ?? twice?.place ?? 'un biglietto'}`
    : `${conflicts.length} doppi ingressi`;
}
