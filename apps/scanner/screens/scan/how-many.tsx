/** The dialog in which the doorman says how many of an order pass now: "sono 6 di 10". */
import { Modal } from '#apps/shared/ui/modal.tsx';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './how-many.module.css';

interface HowManyProps {
  shown: Shown;
  onClose: () => void;
  /** How many pass besides the guest who was read. */
  onCount: (count: number) => void;
}

export function HowMany({ shown: { party, direction }, onClose, onCount }: HowManyProps) {
  const { companions, size, inside } = party;
  const isIn = direction === 'in';
  return (
    <Modal title={isIn ? 'In quanti sono?' : 'In quanti escono?'} onClose={onClose}>
      <div className={parts.stack}>
        <p>
          {isIn
            ? `Dentro ${inside} di ${size}, con il biglietto appena letto.`
            : `Dentro restano ${inside} di ${size}, senza il biglietto appena letto.`}
        </p>
        <div className={styles.counts}>
          {companions.map(({ place }, i) => (
            <button key={place} type="button" className={parts.chip} onClick={() => onCount(i + 1)}>
              <strong className={styles.total}>
                {isIn ? `${inside + i + 1} di ${size}` : `In ${i + 2}`}
              </strong>
              {i === 0 ? 'un altro' : `altri ${i + 1}`}
            </button>
          ))}
        </div>
      </div>
    </Modal>
  );
}
