/** The dialog for a ticket code typed by hand, when the camera cannot read it. */
import { useState, type SyntheticEvent } from 'react';
import { codeLength, readTicketCode } from '#server/domain/door/ticket-code.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import parts from '#apps/scanner/screens/parts.module.css';

export function AskCode({
  onClose,
  onText,
}: {
  onClose: () => void;
  onText: (text: string) => void;
}) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    // A mistyped code is not scanned; its text stays, so that the person can correct it.
    if (readTicketCode(text)) onText(text);
    else
      setError(`Il codice è incompleto o contiene un errore: sono ${codeLength} lettere e numeri.`);
  }
  return (
    <Modal title="Inserisci il codice" onClose={onClose}>
      <form className={parts.stack} onSubmit={submit}>
        <Field
          label="Codice del biglietto"
          hint="I gruppi di lettere e numeri sotto il QR; trattini e minuscole non contano."
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          data-autofocus
        />
        <button type="submit" className={parts.big} disabled={text.trim() === ''}>
          Controlla
        </button>
      </form>
    </Modal>
  );
}
