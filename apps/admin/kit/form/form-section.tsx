/** The building blocks of long forms: section, number field, check box, radio buttons, and the way to a faulty field. */
import { useId, type ReactNode } from 'react';
import { Field } from '#apps/shared/ui/field.tsx';
import type { Faults } from '#apps/admin/kit/form-faults.ts';
import { formBounds } from '#server/domain/event.ts';
import type { EventValues, NumberName } from '#apps/admin/event/form/values.ts';
import { Panel } from '#apps/admin/kit/panel.tsx';
import formStyles from './form.module.css';
import styles from './form-section.module.css';
import textStyles from '#apps/admin/kit/text.module.css';

export interface SectionProps {
  values: EventValues;
  faults: Faults;
  set: (change: Partial<EventValues>) => void;
}

export function Section({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Panel className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p className={`${textStyles.soft} ${styles.hint}`}>{hint}</p>}
      {children}
    </Panel>
  );
}

/** Where goToField() finds the control of a field. */
export function Spot({ field, children }: { field: string; children: ReactNode }) {
  return (
    <div className={styles.spot} data-field={field}>
      {children}
    </div>
  );
}

/** Brings a field before the eyes and under the keyboard. */
export function goToField(field: string): void {
  const spot = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  const control = spot?.querySelector<HTMLElement>(
    'input:not([type=hidden]), select, textarea, [contenteditable=true], button',
  );
  spot?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}

export function NumberField({
  name,
  label,
  hint,
  unit,
  section: { values, faults, set },
}: {
  name: NumberName;
  label: string;
  hint?: string;
  unit: string;
  section: SectionProps;
}) {
  const [least, most] = formBounds[name];
  return (
    <Spot field={name}>
      <Field
        label={label}
        hint={hint}
        error={faults[name] ?? null}

        // oxlint-disable-next-line react/no-unstable-nested-components -- Field calls it to draw its control: it is no component
        control={(props) => (
          <span className={styles.withUnit}>
            <input
              {...props}
              type="number"
              inputMode="numeric"
              min={least}
              max={most}
              step={1}
              value={values[name]}
              onChange={(event) => set({ [name]: event.target.value })}
            />
            <span>{unit}</span>
          </span>
        )}
      />
    </Spot>
  );
}

export function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={`${formStyles.check} ${styles.check}`}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint !== undefined && (
          <span className={`${textStyles.soft} ${formStyles.hint}`}>{hint}</span>
        )}
      </span>
    </label>
  );
}

interface RadiosProps<T extends string> {
  legend: string;
  value: T;
  options: readonly (readonly [value: T, label: string, hint?: string])[];
  onChange: (value: T) => void;
}

export function Radios<T extends string>({ legend, value, options, onChange }: RadiosProps<T>) {
  const name = useId();
  return (
    <fieldset className={formStyles.choices}>
      <legend>{legend}</legend>
      {options.map(([option, label, hint]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>
            {label}
            {hint !== undefined && (
              <span className={`${textStyles.soft} ${formStyles.hint}`}>{hint}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
