/** Draws the event form's control for each field name. */
import { formBounds, formLengths } from '#server/domain/event/event.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { Field, FieldInput } from '#apps/shared/ui/field.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Spot, type Faults } from '#apps/admin/kit/form/form-section.tsx';
import { TextField, type TextFieldProps } from '#apps/admin/kit/form/text-field.tsx';
import type { EventValues, NumberName } from './values.ts';
import styles from '#apps/admin/kit/form/form-section.module.css';

export interface SectionProps {
  values: EventValues;
  faults: Faults;
  set: (change: Partial<EventValues>) => void;
}

type TextName = keyof typeof formLengths & keyof EventValues;
type SwitchName = {
  [Name in keyof EventValues]: EventValues[Name] extends boolean ? Name : never;
}[keyof EventValues];

interface Wording {
  /** Text that is added to the label. */
  more?: string;
  hint?: string;
}

export function controlsOf({ values, faults, set }: SectionProps) {
  return {
    text: (name: TextName, { more = '', ...props }: Wording & Partial<TextFieldProps> = {}) => (
      <Spot field={name}>
        <TextField
          label={eventFieldNames[name] + more}
          value={values[name]}
          onChange={(text) => set({ [name]: text })}
          maxLength={formLengths[name]}
          error={faults[name] ?? null}
          {...props}
        />
      </Spot>
    ),
    number: (name: NumberName, unit: string, { more = '', hint }: Wording = {}) => (
      <Spot field={name}>
        <Field label={eventFieldNames[name] + more} hint={hint} error={faults[name] ?? null}>
          <span className={styles.withUnit}>
            <FieldInput
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
        </Field>
      </Spot>
    ),
    check: (name: SwitchName, hint?: string) => (
      <Check
        label={eventFieldNames[name]}
        hint={hint}
        checked={values[name]}
        onChange={(checked) => set({ [name]: checked })}
      />
    ),
  };
}
