/** A choice of one event, or all. */
import { listEvents } from '#server/contract/events.ts';
import { nameOfDate } from '#apps/admin/kit/date-name.ts';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';

interface EventFieldProps {
  /** Null: all events. */
  value: string | null;
  onChange: (event_id: string | null) => void;
}

export function EventField({ value, onChange }: EventFieldProps) {
  const events = useAllPages(listEvents);
  const items = events.data?.items ?? [];
  const isKnown = value === null || items.some(({ id }) => id === value);
  return (
    <Field label="Evento">
      <FieldSelect value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
        <option value="">Tutti gli eventi</option>
        {!isKnown && <option value={value}>{value}</option>}
        {items.map(({ id, title, starts_at }) => (
          <option key={id} value={id}>
            {nameOfDate(title, starts_at)}
          </option>
        ))}
      </FieldSelect>
    </Field>
  );
}
