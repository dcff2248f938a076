/** A password field with a button to show the password. */
import { useState, type ReactNode } from 'react';
import { Field, FieldInput } from '#apps/shared/ui/field.tsx';
import styles from './password-field.module.css';

interface PasswordFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password' | 'off';
  hint?: ReactNode;
  error?: string | null;
}

export function PasswordField({
  label,
  value,
  onChange,
  autoComplete,
  hint,
  error,
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} required>
      <span className={styles.field}>
        <FieldInput
          type={shown ? 'text' : 'password'}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete={autoComplete}
          maxLength={256}
          spellCheck={false}
          autoCapitalize="none"
        />
        <button
          type="button"
          className={styles.show}
          aria-pressed={shown}
          aria-label="Mostra i caratteri"
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Nascondi' : 'Mostra'}
        </button>
      </span>
    </Field>
  );
}
