/** Choices in a form: a check box, radio buttons, and a row of buttons with one pressed. */
import { useId, type ReactNode } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './form.module.css';

interface CheckProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** For a check box inside a line of text. */
  small?: boolean;
  className?: string;
  children?: ReactNode;
}

export function Check({
  label,
  hint,
  checked,
  onChange,
  disabled,
  small,
  className,
  children,
}: CheckProps) {
  return (
    <label className={joinClasses(styles.check, small && styles.small, className)}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Label hint={hint}>{label}</Label>
      {children}
    </label>
  );
}

function Label({ hint, children }: { hint: ReactNode; children: ReactNode }) {
  return (
    <span>
      {children}
      {hint && <span className={`${textStyles.soft} ${styles.hint}`}>{hint}</span>}
    </span>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  value: T;
  onChange: (value: T) => void;
  className?: string;
}

interface RadiosProps<T extends string> extends ChoiceProps<T> {
  options: readonly (readonly [value: T, label: string, hint?: string])[];
}

export function Radios<T extends string>({
  legend,
  value,
  options,
  onChange,
  className,
}: RadiosProps<T>) {
  const name = useId();
  return (
    <fieldset className={joinClasses(styles.choices, className)}>
      <legend>{legend}</legend>
      {options.map(([option, label, hint]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <Label hint={hint}>{label}</Label>
        </label>
      ))}
    </fieldset>
  );
}

interface SegmentsProps<T extends string> extends ChoiceProps<T> {
  options: readonly (readonly [value: T, label: string])[];
}

/** Only screen readers get the legend. */
export function Segments<T extends string>({ legend, value, options, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className={styles.segments}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([option, label]) => (
        <Button
          key={option}
          small
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          label={label}
        />
      ))}
    </fieldset>
  );
}
