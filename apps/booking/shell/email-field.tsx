/** The field for a mail address on the public pages, and what may be wrong with what was typed. */
import { Field } from '#apps/shared/ui/field.tsx';

interface EmailFieldProps {
  label: string;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

export function EmailField({ onChange, ...field }: EmailFieldProps) {
  return (
    <Field
      type="email"
      inputMode="email"
      autoComplete="email"
      required
      maxLength={254}
      onChange={(event) => onChange(event.target.value)}
      {...field}
    />
  );
}

/** Null: it may be sent. */
export function mistakeIn(email: string, { validity }: HTMLInputElement): string | null {
  if (email.trim() === '') return 'Scrivi il tuo indirizzo e-mail.';
  // A browser takes `eva@teatro` for an address; the server does not.
  const isWhole = validity.valid && /\.[a-z]{2,}$/i.test(email.trim());
  return isWhole ? null : 'Questo indirizzo non è completo.';
}
