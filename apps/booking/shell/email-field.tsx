/** The field for a mail address on public pages, and faults of the typed address. */
import { Field } from '#apps/shared/ui/field.tsx';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';

interface EmailFieldProps {
  label: string;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

export function EmailField({ onChange, ...field }: EmailFieldProps) {
  return (
    <Field
      {...mailInput}
      autoComplete="email"
      required
      onChange={(event) => onChange(event.target.value)}
      {...field}
    />
  );
}

/** Null: no fault. Otherwise the form's first field gets the focus. */
export function mistakeIn(email: string, form: HTMLFormElement | null): string | null {
  const fault = mailFault(email);
  if (fault !== null) form?.querySelector('input')?.focus();
  return fault;
}

/** What is wrong with a typed address; null: nothing. */
export function mailFault(email: string): string | null {
  if (isMailAddress(email.trim())) return null;
  return email.trim() === ''
    ? 'Scrivi il tuo indirizzo e-mail.'
    : 'Questo indirizzo non è completo.';
}
