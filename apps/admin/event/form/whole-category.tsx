/** How the whole objects of one category are sold: their places, the price, the minimum. */
import { formatCount } from '#apps/shared/format.ts';
import { Field, FieldInput } from '#apps/shared/ui/field.tsx';
import type { ChartWhole, WholeTerms } from './whole-values.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';
import styles from './form.module.css';

type Value = WholeTerms['categories'][string];

interface WholeCategoryProps {
  category: { label: string; color: string | null } | null;
  objects: readonly ChartWhole[];
  value: Value;
  onChange: (value: Value) => void;
}

const words = {
  table: { one: 'tavolo intero', many: 'tavoli interi' },
  booth: { one: 'séparé', many: 'séparé' },
  area: { one: 'zona intera', many: 'zone intere' },
} as const;

export function WholeCategory({ category, objects, value, onChange }: WholeCategoryProps) {
  const booths = objects.filter(({ kind }) => kind === 'booth');
  const label = category?.label ?? objects[0]?.category_key ?? '';
  const set = (part: Value) => onChange({ ...value, ...part });
  return (
    <fieldset className={styles.category}>
      <legend>
        {category?.color && (
          <span
            className={styles.swatch}
            style={{ background: category.color }}
            aria-hidden="true"
          />
        )}
        {label}: {countWords(objects)}
      </legend>
      <div className={formStyles.pair}>
        {booths.length > 0 && (
          <Places
            label="Posti di ogni séparé"
            hint={
              booths.some(({ in_use }) => in_use)
                ? 'Qualcuno è già occupato, bloccato o venduto: non cambia più.'
                : 'La pianta non lo dice: serve per pubblicare.'
            }
            disabled={booths.some(({ in_use }) => in_use) && value.places !== undefined}
            value={value.places}
            onChange={(places) => set({ places })}
          />
        )}
        <Places
          label="Posti da pagare, almeno (facoltativo)"
          hint="Vuoto: tutti. Chi viene in meno paga comunque questi; i posti vuoti restano chiusi."
          value={value.minimum}
          onChange={(minimum) => set({ minimum })}
        />
      </div>
      <Radios
        legend={`Il prezzo di «${label}» è`}
        value={value.price_per ?? 'place'}
        onChange={(price_per) => set({ price_per })}
        options={[
          ['place', 'per ogni posto'],
          ['object', 'per l’intero', 'Si divide fra i biglietti, al centesimo.'],
        ]}
      />
    </fieldset>
  );
}

interface PlacesProps {
  label: string;
  hint: string;
  value: number | undefined;
  disabled?: boolean;
  onChange: (value: number | undefined) => void;
}

function Places({ label, hint, value, disabled = false, onChange }: PlacesProps) {
  return (
    <Field label={label} hint={hint}>
      <span className={sectionStyles.withUnit}>
        <FieldInput
          type="number"
          inputMode="numeric"
          min={1}
          max={500}
          step={1}
          disabled={disabled}
          value={value ?? ''}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : Number(target.value))
          }
        />
        <span>posti</span>
      </span>
    </Field>
  );
}

/** "12 tavoli interi da 10 posti, 3 séparé" */
function countWords(objects: readonly ChartWhole[]): string {
  const alike = Map.groupBy(objects, ({ kind, places }) =>
    kind === 'booth' ? kind : `${kind} ${places}`,
  );
  return [...alike.values()]
    .map(([first, ...others]) => {
      const { kind, places } = first as ChartWhole;
      const { one, many } = words[kind];
      const size = kind === 'booth' ? '' : ` da ${formatCount(places, 'posto', 'posti')}`;
      return formatCount(others.length + 1, one, many) + size;
    })
    .join(', ');
}
