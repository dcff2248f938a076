/** "Hai un codice?": this event's code lets a visitor in without waiting. */
import { useRef, useState } from 'react';
import { errorMessage } from '#apps/shared/error-message.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { queueBounds } from '#server/domain/queue/queue.ts';
import styles from './queue.late.module.css';

export function MembersCode({ onCode }: { onCode: (code: string) => Promise<void> }) {
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  async function send() {
    try {
      if (code.trim() === '') return refuse('Scrivi il codice.');
      await onCode(code.trim());
    } catch (error) {
      refuse(errorMessage(error));
    }
  }
  function refuse(reason: string) {
    setWrong(reason);
    form.current?.querySelector('input')?.focus();
  }
  return (
    <details className={styles.more}>
      <summary>Hai un codice?</summary>
      <form
        ref={form}
        className={styles.line}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <Field
          label="Codice per entrare subito"
          value={code}
          error={wrong}
          required
          maxLength={queueBounds.code.most}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setCode(event.target.value)}
        />
        <AsyncButton type="submit" onClick={send}>
          Usa il codice
        </AsyncButton>
      </form>
    </details>
  );
}
