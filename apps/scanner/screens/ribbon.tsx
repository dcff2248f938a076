/** PROVA on every screen of a rehearsal, with the switch that takes the network away; while it is off, every screen says that too, at a real event without PROVA. */
import { createContext, useContext } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { setNoNetwork } from '#apps/scanner/scan/phone.ts';
import { useStatus } from './status.ts';

/** Whether the chosen event is a rehearsal. */
export const Rehearsal = createContext(false);

export function Ribbon() {
  const isRehearsal = useContext(Rehearsal);
  const { no_network } = useStatus();
  if (!isRehearsal && !no_network) return null;
  return (
    <div className="ribbon" data-rehearsal={isRehearsal} data-no-network={no_network}>
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
        className="ribbon-switch"
        aria-pressed={no_network}
        onClick={() => setNoNetwork(!no_network)}
      >
        <Icon name={no_network ? 'offline' : 'online'} size={22} />
        Senza rete
      </button>
    </div>
  );
}
