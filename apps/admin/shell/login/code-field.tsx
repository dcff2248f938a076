/** A field for a code of the authenticator app, or for a recovery code. */
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Accepts no recovery codes. */
  appOnly?: boolean;
}

export function CodeField({ appOnly = false, ...field }: CodeFieldProps) {
  return (
    <TextField
      {...field}
      label="Codice"
      hint={
        appOnly
          ? 'Le sei cifre che l’app mostra adesso.'
          : 'Le sei cifre dell’app, oppure un codice di riserva.'
      }
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
      required
    />
  );
}
