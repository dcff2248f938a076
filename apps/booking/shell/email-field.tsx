/** The field for a mail address on public pages, and faults of the typed address. */
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

/** Null: no fault. Otherwise the form's first field gets the focus. */
export function mistakeIn(email: string, form: HTMLFormElement | null): string | null {
  const input = form?.querySelector('input');
  // Browsers accept `eva@teatro`, the server does not.
  if (input?.validity.valid && /\.[a-z]{2,}$/i.test(email.trim())) return null;
  input?.focus();
  return email.trim() === ''
    ? 'Scrivi il tuo indirizzo e-mail.'
    : 'Questo indirizzo non è completo.';
}
