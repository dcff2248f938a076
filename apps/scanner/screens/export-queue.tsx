/** What the server has not understood or not heard yet leaves the phone by hand: as a file, or from screen to screen. */
import { useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { db } from '#apps/scanner/scan/phone.ts';
import { QueueChain } from './queue-chain.tsx';
import { saveQueue } from '#apps/scanner/sync/save-queue.ts';
import { useLive } from './use-live.ts';

/** Nothing where there is nothing to carry. */
export function ExportQueue({ title }: { title: string }) {
  const count = useLive(() => db.queue.where('fate').anyOf('queued', 'unreadable').count()) ?? 0;
  const [isChain, setChain] = useState(false);
  if (count === 0 && !isChain) return null;
  return (
    <section className="stack" aria-label="Esporta">
      <h2>{title}</h2>
      <p className="soft">
        Porta le letture in ufficio con un file, o falle inquadrare: restano anche qui.
      </p>
      <div className="pair">
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
