/** The field for the e-mail address that somebody enters with. */
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** It is known and not to be chosen. */
  readOnly?: boolean;
}

export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      {...props}
      label="E-mail"
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      required
    />
  );
}
