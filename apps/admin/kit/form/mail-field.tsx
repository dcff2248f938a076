/** A field for one mail address; a form with another text in it is not sent. */
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export function MailField({ value, ...field }: TextFieldProps & { value: string }) {
  const isWrong = value.trim() !== '' && !isMailAddress(value.trim());
  return (
    <TextField
      ref={(input) =>
        input?.setCustomValidity(isWrong ? 'Scrivi un indirizzo e-mail intero, senza spazi.' : '')
      }
      {...mailInput}
      {...field}
      value={value}
    />
  );
}
