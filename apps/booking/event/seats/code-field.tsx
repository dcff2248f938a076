/**
 * "Hai un codice?": a field over the chart for a code of reserved seats, and what the code
 * opened.
 */
import { useRef, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatCount } from '#apps/shared/format.ts';
import type { OpenedCode } from './opened-code.ts';
import styles from './code-field.late.module.css';

export function CodeField({ code, takesCode }: { code: OpenedCode; takesCode: boolean }) {
  const { opened, fault } = code;
  return (
    <div className={`${styles.place} no-print`}>
      <output aria-label="Posti riservati">
        {opened !== null && (
          <p className={styles.opened}>
            <Icon name="check" size={20} />{' '}
            <span>
              <strong>{opened.name}</strong>: {sayOpened(opened.places)}
            </span>
          </p>
        )}
        {!takesCode && fault !== null && <p className="small soft">{fault}</p>}
      </output>
      {opened !== null && (
        <button type="button" className="ui-button" onClick={code.close}>
          Togli il codice
        </button>
      )}
      {opened === null && takesCode && <TypedCode code={code} />}
    </div>
  );
}

function sayOpened(count: number): string {
  return count === 0
    ? 'i posti riservati sono finiti, puoi scegliere tra gli altri.'
    : `il codice apre ${formatCount(count, 'posto riservato', 'posti riservati')}, oltre a quelli liberi.`;
}

function TypedCode({ code: { open, fault, waiting } }: { code: OpenedCode }) {
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function send() {
    setMissing(text.trim() === '');
    if (text.trim() !== '') await open(text);
    form.current?.querySelector('input')?.focus();
  }
  return (
    <details
      className={styles.ask}
      open={isOpen || fault !== null}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Hai un codice?</summary>
      <form
        ref={form}
        className={styles.line}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <Field
          label="Codice per i posti riservati"
          value={text}
          error={missing ? 'Scrivi il codice.' : fault}
          required
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <AsyncButton variant="primary" type="submit" busy={waiting} onClick={send}>
          Usa il codice
        </AsyncButton>
      </form>
    </details>
  );
}
