/** The rule of a series: days of the week, hours, first and last day, and exceptions. */
import { longestSeriesDays } from '#server/domain/event/series.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './show.module.css';

interface HourValues {
  /** React's key of the row. */ key: number;
  weekdays: readonly number[];
  time: string;
}
export interface RuleValues {
  rules: readonly HourValues[];
  from: string;
  until: string;
  except: string;
}

const mostRules = 10;
const newHour = (key: number): HourValues => ({ key, weekdays: [], time: '21:00' });
export const firstRule: RuleValues = { rules: [newHour(1)], from: '', until: '', except: '' };

/** Reads days as in "6/1/2027, 2027-01-08"; null: one of them is not a day. */
function daysIn(text: string): string[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const days = words.map((word) => {
    const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(word) ?? [];
    if (day === undefined) return /^\d{4}-\d{2}-\d{2}$/.test(word) ? word : '';
    return `${year}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}`;
  });
  return days.some((day) => Number.isNaN(Date.parse(day))) ? null : days;
}

/** Why there can be no preview yet; null: there can. */
export function ruleFault({ rules, from, until, except }: RuleValues): string | null {
  if (rules.some(({ weekdays }) => weekdays.length === 0))
    return 'Scegli almeno un giorno della settimana per ogni orario.';
  if (rules.some(({ time }) => time === '')) return 'Scrivi l’ora.';
  if (from === '' || until === '') return 'Scrivi il primo e l’ultimo giorno.';
  if (from > until) return 'L’ultimo giorno viene dopo il primo.';
  const days = (Date.parse(until) - Date.parse(from)) / 86_400_000;
  if (days >= longestSeriesDays) return 'Il periodo è troppo lungo: al massimo due anni.';
  return daysIn(except) === null ? 'Scrivi i giorni senza spettacolo come 6/1/2027.' : null;
}

/** Only for values without faults. */
export function seriesOf({ rules, from, until, except }: RuleValues) {
  return {
    rules: rules.map(({ weekdays, time }) => ({ weekdays: [...weekdays], time: time.slice(0, 5) })),
    from,
    until,
    except: daysIn(except) ?? [],
  };
}

interface FieldsProps {
  values: RuleValues;
  onChange: (values: RuleValues) => void;
}

export function RuleFields({ values, onChange }: FieldsProps) {
  const { rules } = values;
  const set = (part: Partial<RuleValues>) => onChange({ ...values, ...part });
  return (
    <>
      {rules.map((rule, index) => (
        <HourFields
          key={rule.key}
          name={`Orario ${index + 1}`}
          rule={rule}
          onChange={(next) => set({ rules: rules.map((one) => (one === rule ? next : one)) })}
          onRemove={
            rules.length > 1 ? () => set({ rules: rules.filter((one) => one !== rule) }) : null
          }
        />
      ))}
      {rules.length < mostRules && (
        <p>
          <Button
            small
            icon="plus"
            onClick={() => set({ rules: [...rules, newHour((rules.at(-1)?.key ?? 0) + 1)] })}
            label="Un altro orario"
          />
        </p>
      )}
      <div className={formStyles.pair}>
        <TextField
          label="Dal giorno"
          type="date"
          value={values.from}
          onChange={(from) => set({ from })}
        />
        <TextField
          label="Al giorno, compreso"
          type="date"
          value={values.until}
          onChange={(until) => set({ until })}
        />
      </div>
      <TextField
        label="Giorni senza spettacolo (facoltativi)"
        hint="Per esempio 25/12/2026, 6/1/2027."
        maxLength={2_000}
        value={values.except}
        onChange={(except) => set({ except })}
      />
    </>
  );
}

const weekdayNames = ['lun', 'mar', 'mer', 'gio', 'ven', 'sab', 'dom'];

interface HourProps {
  name: string;
  rule: HourValues;
  onChange: (rule: HourValues) => void;
  onRemove: (() => void) | null;
}

function HourFields({ name, rule, onChange, onRemove }: HourProps) {
  const { weekdays } = rule;
  return (
    <fieldset className={styles.hour}>
      <legend>{name}</legend>
      {weekdayNames.map((day, index) => (
        <Check
          key={day}
          small
          label={day}
          checked={weekdays.includes(index + 1)}
          onChange={(wanted) =>
            onChange({
              ...rule,
              weekdays: wanted
                ? [...weekdays, index + 1]
                : weekdays.filter((one) => one !== index + 1),
            })
          }
        />
      ))}
      <TextField
        label="alle"
        type="time"
        value={rule.time}
        onChange={(time) => onChange({ ...rule, time })}
      />
      {onRemove !== null && <Button small look="quiet" onClick={onRemove} label="Togli" />}
    </fieldset>
  );
}
