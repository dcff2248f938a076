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

/** Props of the line that a caller may add. */
export type MoreText = Wording & Omit<Partial<TextFieldProps>, 'name'>;
type TextProps = MoreText &
  Pick<TextFieldProps, 'value' | 'onChange' | 'error'> & { name: TextName };

/** A line of text of the event form, with its name and its greatest length. */
export function TextControl({ name, more = '', ...props }: TextProps) {
  return (
    <Spot field={name}>
      <TextField label={eventFieldNames[name] + more} maxLength={formLengths[name]} {...props} />
    </Spot>
  );
}

export function controlsOf({ values, faults, set }: SectionProps) {
  return {
    text: (name: TextName, props: MoreText = {}) => (
      <TextControl
        name={name}
        value={values[name]}
        onChange={(text) => set({ [name]: text })}
        error={faults[name] ?? null}
        {...props}
      />
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
