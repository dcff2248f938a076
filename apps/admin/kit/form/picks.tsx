/** Some of a few names, as check boxes in a row. */
import { Check } from './choices.tsx';
import styles from './form.module.css';

interface PicksProps {
  legend: string;
  hint?: string;
  options: readonly (readonly [value: string, label: string])[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** A chosen name that is no longer sold stays there, so that it can be taken out. */
export function Picks({ legend, hint, options, chosen, onChange }: PicksProps) {
  const gone = chosen.filter((value) => options.every(([known]) => known !== value));
  const all = [
    ...options,
    ...gone.map((value) => [value, `${value} (non più in vendita)`] as const),
  ];
  return (
    <fieldset className={styles.picks}>
      <legend className="ui-field-label">{legend}</legend>
      <div className={styles.boxes}>
        {all.map(([value, label]) => (
          <Check
            key={value}
            small
            label={label}
            checked={chosen.includes(value)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
        ))}
      </div>
      {hint !== undefined && <p className="ui-field-hint">{hint}</p>}
    </fieldset>
  );
}
