/** Takes the scans that the server lacks or does not understand off the phone by hand: as a file, or as QR codes on the screen. */
import { useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { db } from '#apps/scanner/scan/phone.ts';
import { QueueChain } from './queue-chain.tsx';
import { saveQueue } from '#apps/scanner/sync/save-queue.ts';
import { useLive } from '#apps/scanner/screens/use-live.ts';
import layout from '#apps/scanner/screens/layout.module.css';

/** Nothing where there is nothing to take off. */
export function ExportQueue({ title }: { title: string }) {
  const count = useLive(() => db.queue.where('fate').anyOf('queued', 'unreadable').count()) ?? 0;
  const [isChain, setChain] = useState(false);
  if (count === 0 && !isChain) return null;
  return (
    <section className={layout.stack} aria-label="Esporta">
      <h2>{title}</h2>
      <p className={layout.soft}>
        Porta le letture in ufficio con un file, o falle inquadrare: restano anche qui.
      </p>
      <div className={layout.pair}>
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
