/** A choice among the dates under the rules of a screen. */
import { formatShortDate } from '#apps/shared/format.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import type { RulesDesk } from './owner.ts';

interface DateChoiceProps {
  label: string;
  dates: RulesDesk['dates'];
  value: string;
  onChange: (eventId: string) => void;
}

export function DateChoice({ label, dates, value, onChange }: DateChoiceProps) {
  return (
    <Field label={label}>
      <FieldSelect value={value} onChange={(event) => onChange(event.target.value)}>
        {dates.map(({ id, title, starts_at }) => (
          <option key={id} value={id}>
            {title} · {formatShortDate(starts_at)}
          </option>
        ))}
      </FieldSelect>
    </Field>
  );
}
