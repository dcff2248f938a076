/** The queue as a series of QR codes, for a phone that finds no network at all: the office's camera or another phone reads them one after the other. */
import { useCallback, useEffect, useRef, useState, type TouchEvent } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Panel } from './panel.tsx';
import { queueChain } from '#apps/scanner/scan/phone.ts';
import button from '#apps/scanner/screens/button.module.css';
import layout from '#apps/scanner/screens/layout.module.css';
import note from '#apps/scanner/screens/note.module.css';
import styles from './queue-chain.module.css';

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
      foot={
        of > 1 && <Steps isRunning={isRunning} onStep={step} onRun={() => setRunning(!isRunning)} />
      }
    >
      {failed && (
        <p className={note.bad} role="alert">
          <Icon name="warning" />
          <span>Il telefono non riesce a leggere la coda. Prova con il file.</span>
        </p>
      )}
      {chain === null && !failed && <Spinner />}
      {of > 0 && (
        <>
          <p className={layout.soft}>
            In ufficio: Telefoni → Importa letture. Luminosità al massimo.
          </p>
          <div
            className={styles.code}
            onTouchStart={begin}
            onTouchEnd={end}
            data-chain={chain![at]}
          >
            <QrCode text={chain![at]!} label={`Codice ${at + 1} di ${of}`} />
          </div>
          <p className={styles.count} aria-live="polite">
            {at + 1} di {of}
          </p>
        </>
      )}
      {of === 0 && chain !== null && <p className={layout.soft}>Niente da inviare.</p>}
    </Panel>
  );
}

interface StepsProps {
  isRunning: boolean;
  onStep: (by: number) => void;
  onRun: () => void;
}

function Steps({ isRunning, onStep, onRun }: StepsProps) {
  return (
    <div className={styles.foot}>
      <button
        type="button"
        className={button.round}
        aria-label="Codice precedente"
        onClick={() => onStep(-1)}
      >
        <Icon name="back" size={26} />
      </button>
      <button
        type="button"
        className="ui-button ui-button-wide"
        aria-pressed={isRunning}
        onClick={onRun}
      >
        {isRunning ? 'Ferma' : 'Scorrimento automatico'}
      </button>
      <button
        type="button"
        className={button.round}
        aria-label="Codice seguente"
        onClick={() => onStep(1)}
      >
        <Icon name="forward" size={26} />
      </button>
    </div>
  );
}
