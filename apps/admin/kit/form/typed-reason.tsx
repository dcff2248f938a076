/** A required field for the reason of a decision. */

import { TextField } from '#apps/admin/kit/form/text-field.tsx';

/** The contract's minimum: a shorter reason tells a later reader nothing. */
const shortest = 5;

export function isReason(text: string): boolean {
  return text.trim().length >= shortest;
}

interface TypedReasonProps {
  value: string;
  onChange: (text: string) => void;
  label?: string;
  hint?: string;
}

export function TypedReason({
  value,
  onChange,
  label = 'Perché',
  hint = 'Resta nella storia dell’ordine: almeno 5 caratteri.',
}: TypedReasonProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      required
      maxLength={500}
      value={value}
      onChange={onChange}
    />
  );
}
