/** The field for the e-mail address of the login. */
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** It is known and cannot be changed. */
  readOnly?: boolean;
  /** It is typed for the first time, or not for a login. */
  autoComplete?: 'email';
}

export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      label="E-mail"
      type="email"
      name="email"
      autoComplete="username"
      {...props}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      required
    />
  );
}
