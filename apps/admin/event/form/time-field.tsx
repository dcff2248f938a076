/** A field for date and time in Rome; if an hour occurs twice it asks which one is meant. */
import { useId } from 'react';
import { formatLongDate } from '#apps/shared/format.ts';
import { readWallTime, type WallTime } from '#apps/admin/kit/form/wall-time.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './time-field.module.css';

interface TimeFieldProps {
  label: string;
  hint?: string;
  value: WallTime;
  onChange: (value: WallTime) => void;
  error?: string | null;
}

export function TimeField({ label, hint, value, onChange, error }: TimeFieldProps) {
  const id = useId();
  const reading = readWallTime(value);
  const wrong = error !== undefined && error !== null;
  const describedBy = joinClasses(
    hint !== undefined && `${id}-hint`,
    'at' in reading && `${id}-echo`,
    wrong && `${id}-error`,
  );
  return (
    <fieldset className={styles.field}>
      <legend className="ui-field-label">{label}</legend>
      <DayAndHour {...{ label, value, onChange, describedBy, wrong }} />
      {'at' in reading && (
        <p id={`${id}-echo`} className={styles.echo}>
          {formatLongDate(reading.at)}
        </p>
      )}
      {reading.kind === 'twice' && (
        <Radios
          legend="Quella notte torna l’ora solare e questa ora c’è due volte. Quale?"
          className={styles.twice}
          value={value.second ? 'second' : 'first'}
          onChange={(which) => onChange({ ...value, second: which === 'second' })}
          options={[
            ['first', 'La prima (ora legale)'],
            ['second', 'La seconda (ora solare)'],
          ]}
        />
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="ui-field-hint">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-error`} className="ui-field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface DayAndHourProps extends Pick<TimeFieldProps, 'label' | 'value' | 'onChange'> {
  describedBy: string;
  wrong: boolean;
}

function DayAndHour({ label, value, onChange, describedBy, wrong }: DayAndHourProps) {
  const shared = {
    className: 'ui-input',
    'aria-describedby': describedBy || undefined,
    'aria-invalid': wrong ? (true as const) : undefined,
  };
  const change = (part: Partial<WallTime>) => onChange({ ...value, ...part, second: false });
  return (
    <div className={styles.pair}>
      <input
        {...shared}
        type="date"
        aria-label={`${label}: giorno`}
        min="2000-01-01"
        max="2099-12-31"
        value={value.date}
        onChange={(event) => change({ date: event.target.value })}
      />
      <input
        {...shared}
        type="time"
        aria-label={`${label}: ora`}
        value={value.time}
        onChange={(event) => change({ time: event.target.value })}
      />
      {(value.date !== '' || value.time !== '') && (
        <Button small look="quiet" onClick={() => change({ date: '', time: '' })}>
          Svuota<span className="visually-hidden"> {label}</span>
        </Button>
      )}
    </div>
  );
}
