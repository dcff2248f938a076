/** A required field for the reason of a decision. */
import { Field } from '#apps/shared/ui/field.tsx';

/** As in the contract: shorter says nothing to whoever reads it later. */
const shortest = 5;

export function isReason(text: string): boolean {
  return text.trim().length >= shortest;
}

export interface TypedReasonProps {
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
    <Field
      label={label}
      hint={hint}
      required
      maxLength={500}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
    />
  );
}
