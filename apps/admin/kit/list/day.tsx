/** A list filter by day. */
import styles from './day.module.css';

interface DayProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

function Day({ label, value, min, max, onChange }: DayProps) {
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

interface DayRangeProps {
  query: { from?: string; to?: string };
  set: (name: 'from' | 'to', day: string) => void;
}

/** Two day fields, each limited by the other. */
export function DayRange({ query: { from = '', to = '' }, set }: DayRangeProps) {
  return (
    <>
      <Day label="Dal" value={from} max={to} onChange={(day) => set('from', day)} />
      <Day label="al" value={to} min={from} onChange={(day) => set('to', day)} />
    </>
  );
}

/** '' for a text that is not a day. */
export function readDay(text: string): string {
  return /^20\d\d-\d\d-\d\d$/.test(text) ? text : '';
}
