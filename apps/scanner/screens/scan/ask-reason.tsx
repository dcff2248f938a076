/**
 * The dialog for a reason: one tap on a usual one, or a few words; it is stored with the scan for
 * the office.
 */
import { useState, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { makeReaderWatch, splitCode } from '#apps/scanner/camera/keyboard-reader.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './ask-reason.module.css';

/** Shown when a handheld reader scanned a ticket here: its code is not a reason. */
const codeRefused =
  'È arrivato un codice dal lettore: qui va il motivo. Il biglietto leggilo dopo.';
/** The most characters that the contract allows. */
const longest = 200;

interface AskReasonProps {
  title: string;
  /** The seat in question. */
  about?: string;
  reasons: readonly string[];
  /** The label of the button after a typed reason. */
  confirm?: string;
  /** Shown between the seat and the reasons. */
  children?: ReactNode;
  onClose: () => void;
  onReason: (reason: string) => void;
}

export function AskReason({
  title,
  about,
  reasons,
  confirm = 'Conferma',
  children,
  onClose,
  onReason,
}: AskReasonProps) {
  const [isOther, setOther] = useState(false);
  return (
    <Modal title={title} role="alertdialog" onClose={onClose}>
      <div className={parts.stack}>
        {about !== undefined && <p className={styles.about}>{about}</p>}
        {children}
        <div className={parts.chips}>
          {reasons.map((one) => (
            <button key={one} type="button" className={parts.chip} onClick={() => onReason(one)}>
              {one}
            </button>
          ))}
          <button
            type="button"
            className={parts.chip}
            aria-expanded={isOther}
            onClick={() => setOther(true)}
          >
            Altro…
          </button>
        </div>
        {isOther && <OwnReason confirm={confirm} onReason={onReason} />}
      </div>
    </Modal>
  );
}

function OwnReason({ confirm, onReason }: Pick<AskReasonProps, 'confirm' | 'onReason'>) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const reason = text.trim();

  function write(next: string, trouble: string | null = null) {
    setText(next);
    setError(trouble);
  }
  const refuseCode = (before: string) => write(before, codeRefused);
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const typed = splitCode(text);
    if (typed) refuseCode(typed.before);
    else if (reason !== '') onReason(reason);
  }
  return (
    <form className={parts.stack} onSubmit={submit}>
      <OwnWords text={text} error={error} onText={(next) => write(next)} onCode={refuseCode} />
      <button type="submit" className={parts.big} disabled={reason === ''}>
        {confirm}
      </button>
    </form>
  );
}

interface OwnWordsProps {
  text: string;
  error: string | null;
  onText: (text: string) => void;
  /** `before` is what the person typed before a reader typed a ticket's code. */
  onCode: (before: string) => void;
}

function OwnWords({ text, error, onText, onCode }: OwnWordsProps) {
  const [isReader] = useState(makeReaderWatch);
  function watchReader(event: KeyboardEvent) {
    if (!isReader(event)) return;
    event.preventDefault();
    onCode(splitCode(text)?.before ?? text.replace(/\S+$/, ''));
  }
  return (
    <div aria-live="assertive">
      <Field
        label="Con parole tue"
        value={text}
        error={error}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={watchReader}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it appears because the person has just asked to write
        autoFocus
        autoComplete="off"
        enterKeyHint="done"
        maxLength={longest}
      />
    </div>
  );
}
