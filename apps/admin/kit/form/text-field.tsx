/** A field for a line of text; browsers fill it only if `autoComplete` is given. */
import { Field, type FieldProps } from '#apps/shared/ui/field.tsx';

export interface TextFieldProps extends Omit<FieldProps, 'onChange' | 'children'> {
  onChange: (text: string) => void;
}

export function TextField({ onChange, ...field }: TextFieldProps) {
  return <Field autoComplete="off" {...field} onChange={(event) => onChange(event.target.value)} />;
}
