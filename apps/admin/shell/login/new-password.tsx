/** A new password, typed twice; its faults are shown after the first try. */
import { useState } from 'react';
import { isPasswordWeak, passwordMin } from '#server/domain/user/user.ts';
import { PasswordField } from './password-field.tsx';

interface NewPassword {
  password: string;
  again: string;
  weak: boolean;
  differs: boolean;
  setPassword: (text: string) => void;
  setAgain: (text: string) => void;
  /** False: the fields now show faults. */
  check: () => boolean;
}

/** The password must not contain words of `email`. */
export function useNewPassword(email: string): NewPassword {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const weak = isPasswordWeak(password, email);
  const differs = password !== again;
  return {
    password,
    again,
    weak: tried && weak,
    differs: tried && differs,
    setPassword,
    setAgain,
    check() {
      setTried(true);
      return !weak && !differs;
    },
  };
}

export function NewPasswordFields({
  fields,
  label = 'Password',
}: {
  fields: NewPassword;
  label?: string;
}) {
  return (
    <>
      <PasswordField
        label={label}
        value={fields.password}
        onChange={fields.setPassword}
        autoComplete="new-password"
        hint={`Almeno ${passwordMin} caratteri: una frase va benissimo. Non una delle più comuni e non la tua e-mail.`}
        error={fields.weak ? tellWeakness(fields.password) : null}
      />
      <PasswordField
        label="Ripeti la password"
        value={fields.again}
        onChange={fields.setAgain}
        autoComplete="new-password"
        error={fields.differs ? 'Le due password sono diverse.' : null}
      />
    </>
  );
}

function tellWeakness(password: string): string {
  if (password.length < passwordMin)
    return `Mancano ancora ${passwordMin - password.length} caratteri.`;
  return 'È troppo facile da indovinare: scegli parole meno comuni.';
}
