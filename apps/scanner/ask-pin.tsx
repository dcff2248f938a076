/** The supervisors' PIN: after it this phone may do for five minutes what only theirs may. */
import { useEffect, useState, type SyntheticEvent } from 'react';
import { pinDigits } from '#server/domain/phone.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { checkPin, raiseToSupervisor } from './phone.ts';

export function AskPin({ onClose, onRaised }: { onClose: () => void; onRaised: () => void }) {
  const [pin, setPin] = useState('');
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [waitMs, setWaitMs] = useState(0);
  useEffect(() => {
    if (waitMs === 0) return undefined;
    const timer = setTimeout(() => {
      setWaitMs(0);
      setError(null);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (isChecking || waitMs > 0) return;
    setChecking(true);
    const answer = await checkPin(pin).catch(() => null);
    setChecking(false);
    setPin('');
    if (!answer) return setError('Il telefono non riesce a leggere i suoi dati: riprova.');
    setWaitMs(answer.wait_ms);
    if (!answer.is_right) return setError(answer.wait_ms === 0 ? 'PIN sbagliato: riprova.' : `PIN sbagliato: riprova fra ${sayWait(answer.wait_ms)}.`);
    raiseToSupervisor();
    onRaised();
  }

  return (
    <Modal title="Serve il responsabile" role="alertdialog" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field label="PIN del responsabile" hint="Vale cinque minuti su questo telefono." type="password" inputMode="numeric" pattern="[0-9]*" autoComplete="one-time-code" className="pin-field"
          value={pin} error={error} onChange={(event) => setPin(event.target.value.replace(/\D/g, '').slice(0, pinDigits.most))} enterKeyHint="go" data-autofocus />
        <button type="submit" className="big-button" disabled={pin.length < pinDigits.least || isChecking || waitMs > 0}>{isChecking ? 'Controllo…' : 'Continua'}</button>
      </form>
    </Modal>
  );
}

function sayWait(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1_000)} secondi` : ms <= 60_000 ? 'un minuto' : `${Math.ceil(ms / 60_000)} minuti`;
}
