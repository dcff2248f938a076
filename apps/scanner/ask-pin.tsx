/** The supervisors' PIN: after it this phone may do for five minutes what only theirs may. */
import { useState, type SyntheticEvent } from 'react';
import { pinDigits } from '#server/domain/phone.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { checkPin, raiseToSupervisor } from './phone.ts';

export function AskPin({ onClose, onRaised }: { onClose: () => void; onRaised: () => void }) {
  const [pin, setPin] = useState('');
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (isChecking) return;
    setChecking(true);
    const isRight = await checkPin(pin).catch(() => false);
    setChecking(false);
    setPin('');
    if (!isRight) return setError('PIN sbagliato: riprova.');
    raiseToSupervisor();
    onRaised();
  }

  return (
    <Modal title="Serve il responsabile" role="alertdialog" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field label="PIN del responsabile" hint="Vale cinque minuti su questo telefono." type="password" inputMode="numeric" pattern="[0-9]*" autoComplete="one-time-code" className="pin-field"
          value={pin} error={error} onChange={(event) => setPin(event.target.value.replace(/\D/g, '').slice(0, pinDigits.most))} enterKeyHint="go" data-autofocus />
        <button type="submit" className="big-button" disabled={pin.length < pinDigits.least || isChecking}>{isChecking ? 'Controllo…' : 'Continua'}</button>
      </form>
    </Modal>
  );
}
