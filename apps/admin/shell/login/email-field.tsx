/** The field for the e-mail address of the login. */
import { MailField } from '#apps/admin/kit/form/mail-field.tsx';

interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The address is known and cannot be changed. */
  readOnly?: boolean;
  /** For a new address, or outside the login. */
  autoComplete?: 'email';
}

export function EmailField(props: EmailFieldProps) {
  return <MailField label="E-mail" name="email" autoComplete="username" {...props} required />;
}
