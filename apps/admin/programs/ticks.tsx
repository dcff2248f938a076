/** Check boxes for several choices from a list. */
import type { ReactNode } from 'react';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import styles from './programs.module.css';

interface TicksProps<T extends string> {
  legend: string;
  options: readonly (readonly [value: T, label: string, hint?: ReactNode])[];
  value: readonly T[];
  onChange: (value: T[]) => void;
}

export function Ticks<T extends string>({ legend, options, value, onChange }: TicksProps<T>) {
  return (
    <fieldset className={styles.ticks}>
      <legend>{legend}</legend>
      {options.map(([option, label, hint]) => (
        <Check
          key={option}
          label={label}
          hint={hint}
          checked={value.includes(option)}
          onChange={(checked) =>
            onChange(checked ? [...value, option] : value.filter((one) => one !== option))
          }
        />
      ))}
    </fieldset>
  );
}
