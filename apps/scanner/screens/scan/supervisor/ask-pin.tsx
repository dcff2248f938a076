/** The dialog for the PIN of a supervisor's phone, which opens its key for five minutes. */
import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { pinDigits } from '#server/domain/door/phone.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { makeReaderWatch } from '#apps/scanner/camera/keyboard-reader.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './ask-pin.module.css';

/** After this time a reader has finished typing, even over a bad radio link. */
const codeMs = 1_000;

/** The digits as they are typed, and their check. */
function usePin(onRight: () => void) {
  const [pin, setPin] = useState('');
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [waitMs, setWaitMs] = useState(0);
  /** Until this time all keys belong to a code that a reader is typing, digits included. */
  const codeUntil = useRef(-Infinity);
  useEffect(() => {
    if (waitMs === 0) return undefined;
    const timer = setTimeout(() => {
      setWaitMs(0);
      setError(null);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);

  /** The reader scanned a ticket, which is not an attempt, so its digits are removed. */
  function refuseCode(at: number) {
    codeUntil.current = at + codeMs;
    setPin('');
    if (waitMs === 0)
      setError(
        `Qui va il PIN, da ${pinDigits.least} a ${pinDigits.most} cifre: il codice di un biglietto non conta.`,
      );
  }
  function write(next: string, at: number) {
    if (/\D/.test(next) || next.length > pinDigits.most) refuseCode(at);
    else if (at >= codeUntil.current) setPin(next);
  }
  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (isChecking || waitMs > 0 || event.timeStamp < codeUntil.current) return;
    setChecking(true);
    const answer = await phone.checkPin(pin).catch(() => null);
    setChecking(false);
    setPin('');
    if (!answer) return setError('Il telefono non riesce a leggere i suoi dati: riprova.');
    setWaitMs(answer.wait_ms);
    if (!answer.is_right) return setError(wrongPinWords(answer));
    onRight();
  }
  return { pin, error, isChecking, waitMs, write, refuseCode, submit };
}

interface AskPinProps {
  title: string;
  onClose: () => void;
  onRight: () => void;
  /** What the PIN is for. */
  children: ReactNode;
}

export function AskPin({ title, onClose, onRight, children }: AskPinProps) {
  const { pin, error, isChecking, waitMs, write, refuseCode, submit } = usePin(onRight);
  const [isReader] = useState(makeReaderWatch);
  function watchReader(event: KeyboardEvent) {
    if (!isReader(event)) return;
    event.preventDefault();
    refuseCode(event.timeStamp);
  }
  return (
    <Modal title={title} role="alertdialog" onClose={onClose}>
      <form className={parts.stack} onSubmit={(event) => void submit(event)}>
        {children}
        {/* Lets screen readers announce a wrong PIN. */}
        <div aria-live="assertive">
          <Field
            label="PIN del responsabile"
            hint="Vale cinque minuti su questo telefono."
            type="password"
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete="one-time-code"
            className={styles.field}
            value={pin}
            error={error}
            onChange={({ target, timeStamp }) => write(target.value, timeStamp)}
            onKeyDown={watchReader}
            enterKeyHint="go"
            data-autofocus
          />
        </div>
        <button
          type="submit"
          className={parts.big}
          disabled={pin.length < pinDigits.least || isChecking || waitMs > 0}
        >
          {isChecking ? 'Controllo…' : 'Dai il consenso'}
        </button>
      </form>
    </Modal>
  );
}

function wrongPinWords({ wait_ms, looked }: Awaited<ReturnType<typeof phone.checkPin>>): string {
  if (wait_ms === 0) return 'PIN sbagliato: riprova.';
  const fault = looked ? 'PIN sbagliato' : 'Troppi tentativi';
  return `${fault}: riprova fra ${waitWords(wait_ms)}.`;
}

function waitWords(ms: number): string {
  if (ms < 60_000) return `${Math.ceil(ms / 1_000)} secondi`;
  return ms === 60_000 ? 'un minuto' : `${Math.ceil(ms / 60_000)} minuti`;
}
