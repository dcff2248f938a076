/** A filter of a list by day. */
import styles from './day.module.css';

interface DayProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

export function Day({ label, value, min, max, onChange }: DayProps) {
  return (
    <label className={styles.day}>
      {label}{' '}
      <input
        className="ui-input"
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** As the server takes it; '' for anything that is no day. */
export function readDay(text: string): string {
  return /^20\d\d-\d\d-\d\d$/.test(text) ? text : '';
}
