/** A labelled input with its hint and its error, tied together for screen readers. */
import { useId, type ComponentProps, type ReactNode } from 'react';

/** What a control of one's own (textarea, select) must carry. */
export interface FieldControl {
  id: string;
  className: string;
  required?: boolean;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'children'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  /** Draws another control than an input. */
  control?: (props: FieldControl) => ReactNode;
}

export function Field({ label, hint, error, control, className = '', ...input }: FieldProps) {
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== '';
  const described = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null]
    .filter((part) => part !== null)
    .join(' ');
  const shared: FieldControl = {
    id,
    className: 'ui-input',
    required: input.required,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': hasError ? true : undefined,
  };
  return (
    <div className={`ui-field ${className}`.trim()}>
      <label className="ui-field-label" htmlFor={id}>
        {label}
      </label>
      {control === undefined ? <input type="text" {...input} {...shared} /> : control(shared)}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="ui-field-hint">
          {hint}
        </p>
      )}
      {hasError && (
        <p id={`${id}-error`} className="ui-field-error">
          {error}
        </p>
      )}
    </div>
  );
}
