/** The building blocks of long forms: sections, the controls of their fields, and the way to a faulty field. */
import { useId, type ReactNode } from 'react';
import { formBounds, formLengths } from '#server/domain/event.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import type { Faults } from '#apps/admin/event/form/faults.ts';
import type { EventValues, NumberName } from '#apps/admin/event/form/values.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Check } from './choices.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';
import styles from './form-section.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

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
  const folded = spot?.closest('details');
  if (folded) folded.open = true;
  const controls = spot?.querySelectorAll<HTMLElement>(
    'input:not([type=hidden]), select, textarea, [contenteditable=true], button',
  );
  const control = [...(controls ?? [])].find((one) => one.checkVisibility());
  spot?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}

type TextName = keyof typeof formLengths & keyof EventValues;
type SwitchName = {
  [Name in keyof EventValues]: EventValues[Name] extends boolean ? Name : never;
}[keyof EventValues];

/** Draws the controls of a section, each for the field of that name. */
export function controlsOf({ values, faults, set }: SectionProps) {
  return {
    text: (name: TextName, label: string, more: Partial<TextFieldProps> = {}) => (
      <Spot field={name}>
        <TextField
          label={label}
          value={values[name]}
          onChange={(text) => set({ [name]: text })}
          maxLength={formLengths[name]}
          error={faults[name] ?? null}
          {...more}
        />
      </Spot>
    ),
    number: (name: NumberName, label: string, unit: string, hint?: string) => (
      <Spot field={name}>
        <Field
          label={label}
          hint={hint}
          error={faults[name] ?? null}
          control={(props) => (
            <span className={styles.withUnit}>
              <input
                {...props}
                type="number"
                inputMode="numeric"
                min={formBounds[name][0]}
                max={formBounds[name][1]}
                step={1}
                value={values[name]}
                onChange={(event) => set({ [name]: event.target.value })}
              />
              <span>{unit}</span>
            </span>
          )}
        />
      </Spot>
    ),
    check: (name: SwitchName, label: string, hint?: string) => (
      <Check
        label={label}
        hint={hint}
        checked={values[name]}
        onChange={(checked) => set({ [name]: checked })}
      />
    ),
  };
}
