/**
 * The queue as a series of QR codes, for a phone without any network: the office's camera or
 * another phone reads them one after the other.
 */
import { useEffect, useEffectEvent, useRef, useState, type TouchEvent } from 'react';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Panel } from './panel.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { Note, RoundButton } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './queue-chain.module.css';

/** A camera needs about a second for a dense code. */
const stepMs = 1_800;
const swipePx = 40;

export function QueueChain({ onClose }: { onClose: () => void }) {
  const [chain, setChain] = useState<string[] | null>(null);
  const [failed, setFailed] = useState(false);
  const of = chain?.length ?? 0;
  const { at, step, isRunning, run } = useSteps(of);
  const shown = chain?.[at];
  const swipe = useSwipe(step);
  useEffect(() => {
    phone.queueChain().then(setChain, () => setFailed(true));
  }, []);
  return (
    <Panel
      title="Letture in QR"
      onClose={onClose}
      foot={of > 1 ? <Steps isRunning={isRunning} onStep={step} onRun={run} /> : undefined}
    >
      {failed && (
        <Note tone="bad" role="alert">
          Il telefono non riesce a leggere la coda. Prova con il file.
        </Note>
      )}
      {chain === null && !failed && <Spinner />}
      {shown !== undefined && (
        <>
          <p className={parts.soft}>
            In ufficio: Telefoni → Importa letture. Luminosità al massimo.
          </p>
          <div className={styles.code} {...swipe} data-chain={shown}>
            <QrCode text={shown} label={`Codice ${at + 1} di ${of}`} />
          </div>
          <p className={styles.count} aria-live="polite">
            {at + 1} di {of}
          </p>
        </>
      )}
      {of === 0 && chain !== null && <p className={parts.soft}>Niente da inviare.</p>}
    </Panel>
  );
}

/** Which of the codes is shown: chosen by hand, or one after the other. */
function useSteps(of: number) {
  const [at, setAt] = useState(0);
  const [isRunning, setRunning] = useState(false);
  const step = (by: number) => setAt((now) => (now + by + of) % of);
  const stepOn = useEffectEvent(() => step(1));
  useEffect(() => {
    if (!isRunning || of < 2) return undefined;
    const timer = setInterval(() => stepOn(), stepMs);
    return () => clearInterval(timer);
  }, [isRunning, of]);
  return { at, step, isRunning, run: () => setRunning(!isRunning) };
}

function useSwipe(step: (by: number) => void) {
  const touch = useRef(0);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      touch.current = touches[0]?.clientX ?? 0;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const by = (changedTouches[0]?.clientX ?? touch.current) - touch.current;
      if (Math.abs(by) > swipePx) step(by < 0 ? 1 : -1);
    },
  };
}

interface StepsProps {
  isRunning: boolean;
  onStep: (by: number) => void;
  onRun: () => void;
}

function Steps({ isRunning, onStep, onRun }: StepsProps) {
  return (
    <div className={styles.foot}>
      <RoundButton icon="back" label="Codice precedente" onClick={() => onStep(-1)} />
      <button
        type="button"
        className="ui-button ui-button-wide"
        aria-pressed={isRunning}
        onClick={onRun}
      >
        {isRunning ? 'Ferma' : 'Scorrimento automatico'}
      </button>
      <RoundButton icon="forward" label="Codice seguente" onClick={() => onStep(1)} />
    </div>
  );
}
