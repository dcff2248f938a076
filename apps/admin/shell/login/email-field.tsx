/** The field for the e-mail address of the login. */
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The address is known and cannot be changed. */
  readOnly?: boolean;
  /** For a new address, or outside the login. */
  autoComplete?: 'email';
}

export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      label="E-mail"
      {...mailInput}
      name="email"
      autoComplete="username"
      {...props}
      required
    />
  );
}
