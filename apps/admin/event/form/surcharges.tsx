/** The section of the event form with presale fee and service commission, and their VAT. */
import { mostSurcharges, surchargeKinds } from '#server/domain/price/price-bounds.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { surchargeNames } from '#server/domain/price/surcharge-words.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { PriceField } from './category.tsx';
import { controlsOf, type SectionProps } from './controls.tsx';
import { usePrices } from './known-prices.ts';
import {
  newSurcharge,
  surchargeFault,
  surchargeWays,
  type SurchargeValues,
  type SurchargeWay,
} from './surcharge-values.ts';
import styles from './form.module.css';

export function Surcharges({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  const { number } = controlsOf(section);
  const rows = values.surcharges;
  const change = (surcharges: SurchargeValues[]) => set({ surcharges });
  return (
    <Section
      title="Prevendita e commissione"
      hint="Si aggiungono al prezzo dei biglietti che costano qualcosa, e si vedono fin dall’inizio."
    >
      <p>
        La prevendita uguale per tutti i biglietti si scrive in euro nella scheda «Prezzi». Qui si
        aggiunge il resto.
      </p>
      <Spot field="surcharges">
        <div className={formStyles.stack}>
          {'surcharges' in faults && <p className="ui-field-error">{faults['surcharges']}</p>}
          {rows.map((row, at) => (
            <SurchargeRow
              key={at}
              nth={at + 1}
              row={row}
              categories={values.seat_pricing.map(({ category }) => category)}
              isChecked={'surcharges' in faults}
              onChange={(part) => change(rows.with(at, { ...row, ...part }))}
              onRemove={() => change(rows.filter((_, other) => other !== at))}
            />
          ))}
          {rows.length < mostSurcharges && (
            <Button small onClick={() => change([...rows, newSurcharge])}>
              Aggiungi prevendita o commissione
            </Button>
          )}
        </div>
      </Spot>
      <div className={formStyles.pair}>
        {number('fee_vat_percent', '%', { hint: presaleVat })}
        {number('service_vat_percent', '%', { hint: serviceVat })}
      </div>
      <Notice>
        Chiedi al commercialista se quello che aggiungi è una prevendita o una commissione, e con
        quale IVA: vale per ciò che si vende da ora.
      </Notice>
      <FlatFee section={section} />
    </Section>
  );
}

const presaleVat =
  'La prevendita fa parte del prezzo e ha l’aliquota dello spettacolo. Vuoto: esente o escluso.';
const serviceVat =
  'La commissione è un servizio a parte, di solito al 22 %. Vuoto: esente o escluso.';

interface RowProps {
  nth: number;
  row: SurchargeValues;
  categories: readonly string[];
  isChecked: boolean;
  onChange: (part: Partial<SurchargeValues>) => void;
  onRemove: () => void;
}

function SurchargeRow({ nth, row, categories, isChecked, onChange, onRemove }: RowProps) {
  const isWrong = isChecked || row.amount.trim() !== '';
  return (
    <fieldset className={styles.surcharge}>
      <legend>
        {nth}. {surchargeNames[row.kind]}
      </legend>
      <div className={formStyles.pair}>
        <Field label="Che cosa">
          <FieldSelect
            value={row.kind}
            onChange={(event) => onChange({ kind: event.target.value as SurchargeValues['kind'] })}
          >
            {surchargeKinds.map((kind) => (
              <option key={kind} value={kind}>
                {surchargeNames[kind]}
              </option>
            ))}
          </FieldSelect>
        </Field>
        <Field label="Come si conta">
          <FieldSelect
            value={row.way}
            onChange={(event) => onChange({ way: event.target.value as SurchargeWay })}
          >
            {Object.entries(surchargeWays).map(([way, words]) => (
              <option key={way} value={way}>
                {words}
              </option>
            ))}
          </FieldSelect>
        </Field>
        <TextField
          label={row.way === 'percent' ? 'Quanto, in %' : 'Quanto, in euro'}
          inputMode="decimal"
          maxLength={12}
          value={row.amount}
          onChange={(amount) => onChange({ amount })}
          error={isWrong ? surchargeFault(row) : null}
        />
      </div>
      {row.way !== 'order' && <Categories {...{ row, categories, onChange }} />}
      <Check
        label="Non alla cassa"
        checked={row.not_at_till}
        onChange={(not_at_till) => onChange({ not_at_till })}
      />
      <Check
        label="Non il giorno dello spettacolo"
        hint="Da mezzanotte non si aggiunge più."
        checked={row.not_on_day}
        onChange={(not_on_day) => onChange({ not_on_day })}
      />
      <Button small look="quiet" onClick={onRemove}>
        Togli
      </Button>
    </fieldset>
  );
}

/** All sectors, unless some are chosen. */
function Categories({
  row,
  categories,
  onChange,
}: Pick<RowProps, 'row' | 'categories' | 'onChange'>) {
  const chosen = row.categories;
  // A sector that is no longer in the price list can still be taken away.
  const names = [...new Set([...categories, ...(chosen ?? [])])];
  if (names.length < 2 && chosen === null) return null;
  return (
    <fieldset className={formStyles.choices}>
      <legend>Settori</legend>
      <Check
        label="Tutti i settori"
        checked={chosen === null}
        onChange={(all) => onChange({ categories: all ? null : [] })}
      />
      {chosen !== null &&
        names.map((name) => (
          <Check
            key={name}
            label={name}
            checked={chosen.includes(name)}
            onChange={(isChosen) =>
              onChange({
                categories: isChosen ? [...chosen, name] : chosen.filter((one) => one !== name),
              })
            }
          />
        ))}
    </fieldset>
  );
}

/** The code at Stripe of the flat presale fee, which the prices' own screen makes. */
function FlatFee({ section: { values, faults, set } }: { section: SectionProps }) {
  const find = usePrices([values.fee_price_id]);
  return (
    <TechnicalDetails fields open={'fee_price_id' in faults}>
      <Spot field="fee_price_id">
        <PriceField
          label={`${eventFieldNames.fee_price_id} per biglietto (facoltativo)`}
          about="diritto di prevendita"
          hint="Il prezzo di Stripe della prevendita uguale per tutti i biglietti."
          value={values.fee_price_id}
          found={find(values.fee_price_id)}
          error={faults['fee_price_id'] ?? null}
          onChange={(fee_price_id) => set({ fee_price_id })}
        />
      </Spot>
    </TechnicalDetails>
  );
}
