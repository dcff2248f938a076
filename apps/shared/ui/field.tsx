/** A labelled control with a hint and an error, connected for screen readers. */
import { createContext, use, useId, type ComponentProps, type ReactNode } from 'react';

/** Attributes that connect a control with its label, hint and error. */
interface Tie {
  id?: string;
  required?: boolean;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

const TieContext = createContext<Tie>({});

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  /** One of the controls below; default: a text input. */
  children?: ReactNode;
}

export function Field({ label, hint, error, children, className = '', ...input }: FieldProps) {
  const id = useId();
  const hasError = error !== undefined && error !== null && error !== '';
  const described = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null]
    .filter((part) => part !== null)
    .join(' ');
  const tie: Tie = {
    id,
    required: input.required,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': hasError ? true : undefined,
  };
  return (
    <div className={`ui-field ${className}`.trim()}>
      <label className="ui-field-label" htmlFor={id}>
        {label}
      </label>
      <TieContext value={tie}>{children ?? <FieldInput type="text" {...input} />}</TieContext>
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

function classOf(className = ''): string {
  return `ui-input ${className}`.trim();
}

export function FieldInput({ className, ...input }: ComponentProps<'input'>) {
  return <input dir="auto" {...input} {...use(TieContext)} className={classOf(className)} />;
}

export function FieldSelect({ className, ...select }: ComponentProps<'select'>) {
  return <select {...select} {...use(TieContext)} className={classOf(className)} />;
}

export function FieldTextarea({ className, ...textarea }: ComponentProps<'textarea'>) {
  return <textarea dir="auto" {...textarea} {...use(TieContext)} className={classOf(className)} />;
}
