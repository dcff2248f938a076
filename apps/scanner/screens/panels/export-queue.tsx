/**
 * Saves by hand the scans that the server lacks or does not understand: as a file, or as QR codes
 * on the screen.
 */
import { useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { QueueChain } from './queue-chain.tsx';
import { saveQueue } from './save-queue.ts';
import { useLive } from '#apps/scanner/screens/status.ts';
import parts from '#apps/scanner/screens/parts.module.css';

/** Renders nothing where there is nothing to save. */
export function ExportQueue({ title }: { title: string }) {
  const count =
    useLive(() => phone.db.queue.where('fate').anyOf('queued', 'unreadable').count()) ?? 0;
  const [isChain, setChain] = useState(false);
  if (count === 0 && !isChain) return null;
  return (
    <section className={parts.stack} aria-label="Esporta">
      <h2>{title}</h2>
      <p className={parts.soft}>
        Porta le letture in ufficio con un file, o falle inquadrare: restano anche qui.
      </p>
      <div className={parts.pair}>
        <AsyncButton className="ui-button-wide" onClick={saveQueue}>
          <Icon name="download" />
          Salva file
        </AsyncButton>
        <button type="button" className="ui-button ui-button-wide" onClick={() => setChain(true)}>
          <Icon name="phone" />
          Mostra QR
        </button>
      </div>
      {isChain && <QueueChain onClose={() => setChain(false)} />}
    </section>
  );
}
