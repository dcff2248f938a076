/** The queue as a chain of QR codes, for the worst day: another phone or the office's camera reads them one after the other. */
import { useCallback, useEffect, useRef, useState, type TouchEvent } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Panel } from './panel.tsx';
import { queueChain } from '#apps/scanner/scan/phone.ts';

/** A camera needs about a second for a dense code. */
const stepMs = 1_800;
const swipePx = 40;

export function QueueChain({ onClose }: { onClose: () => void }) {
  const [chain, setChain] = useState<string[] | null>(null);
  const [failed, setFailed] = useState(false);
  const [at, setAt] = useState(0);
  const [isRunning, setRunning] = useState(false);
  const touch = useRef(0);
  const of = chain?.length ?? 0;
  const step = useCallback(
    (by: number) => setAt((now) => (of === 0 ? 0 : (now + by + of) % of)),
    [of],
  );

  useEffect(() => {
    queueChain().then(setChain, () => setFailed(true));
  }, []);
  useEffect(() => {
    if (!isRunning || of < 2) return undefined;
    const timer = setInterval(() => step(1), stepMs);
    return () => clearInterval(timer);
  }, [isRunning, of, step]);

  const begin = ({ touches }: TouchEvent) => {
    touch.current = touches[0]!.clientX;
  };
  const end = ({ changedTouches }: TouchEvent) => {
    const by = changedTouches[0]!.clientX - touch.current;
    if (Math.abs(by) > swipePx) step(by < 0 ? 1 : -1);
  };
  return (
    <Panel
      title="Letture in QR"
      onClose={onClose}
      className="chain"
      foot={
        of > 1 && (
          <div className="chain-foot">
            <button
              type="button"
              className="round-button"
              aria-label="Codice precedente"
              onClick={() => step(-1)}
            >
              <Icon name="back" size={26} />
            </button>
            <button
              type="button"
              className="ui-button ui-button-wide"
              aria-pressed={isRunning}
              onClick={() => setRunning(!isRunning)}
            >
              {isRunning ? 'Ferma' : 'Scorrimento automatico'}
            </button>
            <button
              type="button"
              className="round-button"
              aria-label="Codice seguente"
              onClick={() => step(1)}
            >
              <Icon name="forward" size={26} />
            </button>
          </div>
        )
      }
    >
      {failed && (
        <p className="note note-bad" role="alert">
          <Icon name="warning" />
          <span>Il telefono non riesce a leggere la coda. Prova con il file.</span>
        </p>
      )}
      {chain === null && !failed && <Spinner />}
      {of > 0 && (
        <>
          <p className="soft">In ufficio: Telefoni → Importa letture. Luminosità al massimo.</p>
          <div className="chain-code" onTouchStart={begin} onTouchEnd={end} data-chain={chain![at]}>
            <QrCode text={chain![at]!} label={`Codice ${at + 1} di ${of}`} />
          </div>
          <p className="chain-count" aria-live="polite">
            {at + 1} di {of}
          </p>
        </>
      )}
      {of === 0 && chain !== null && <p className="soft">Niente da inviare.</p>}
    </Panel>
  );
}
