/**
 * The banner PROVA on every screen of a rehearsal, with the switch that simulates a lost network;
 * while it is on, the banner shows at a real event too.
 */
import { createContext, useContext } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { useStatus } from './status.ts';
import styles from './rehearsal-banner.module.css';

/** Whether the chosen event is a rehearsal. */
export const Rehearsal = createContext(false);

export function RehearsalBanner() {
  const isRehearsal = useContext(Rehearsal);
  const { no_network } = useStatus();
  if (!isRehearsal && !no_network) return null;
  return (
    <div className={styles.banner} data-rehearsal={isRehearsal} data-no-network={no_network}>
      <p>
        {isRehearsal && (
          <>
            <strong>PROVA</strong>{' '}
          </>
        )}
        {no_network ? <strong>Rete staccata</strong> : <span>Ingressi di prova</span>}
      </p>
      <button
        type="button"
        className={styles.switch}
        aria-pressed={no_network}
        onClick={() => phone.setNoNetwork(!no_network)}
      >
        <Icon name={no_network ? 'offline' : 'online'} size={22} />
        Senza rete
      </button>
    </div>
  );
}
