/**
 * The fields for the VAT limit on free tickets, 5 % of a sector: which categories are one sector,
 * and which ticket types do not count.
 */
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { Spot } from '#apps/admin/kit/form/form-section.tsx';
import { Picks } from '#apps/admin/kit/form/picks.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { SectionProps } from './controls.tsx';
import { usePrices } from './known-prices.ts';
import type { EventValues } from './values.ts';
import styles from './form.module.css';

type Terms = NonNullable<EventValues['gift_terms']>;
type Sector = Terms['sectors'][number];

const noTerms: Terms = { sectors: [], not_counted: [] };

export function GiftRules({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  const terms = values.gift_terms ?? noTerms;
  const sold = values.seat_pricing.filter(({ ticketTypes }) => ticketTypes.length > 0);
  const change = (part: Partial<Terms>) => {
    const next = { ...terms, ...part };
    const isEmpty = next.sectors.length + next.not_counted.length === 0;
    set({ gift_terms: isEmpty ? null : next });
  };
  return (
    <Spot field="gift_terms">
      <div className={formStyles.stack}>
        <h4>{eventFieldNames.gift_terms}</h4>
        <p className={textStyles.soft}>
          Fino al 5 % dei posti di un settore gli omaggi non hanno IVA; oltre, si paga sul prezzo
          intero più alto. Ogni settore della pianta conta da solo, se non ne unisci alcuni.
        </p>
        {terms.sectors.map((sector, at) => (
          <SectorFields
            // Sectors have no id, and their fields keep no state of their own.
            key={at}
            sector={sector}
            free={sold.map(({ category }) => category).filter(isFreeFor(terms, sector))}
            onChange={(next) => change({ sectors: terms.sectors.with(at, next) })}
            onRemove={() => change({ sectors: terms.sectors.toSpliced(at, 1) })}
          />
        ))}
        {sold.length > 1 && (
          <Button
            small
            icon="plus"
            label="Unisci più settori"
            onClick={() => change({ sectors: [...terms.sectors, { name: '', categories: [] }] })}
          />
        )}
        <NotCounted
          pricing={sold}
          chosen={terms.not_counted}
          onChange={(not_counted) => change({ not_counted })}
        />
        {'gift_terms' in faults && <p className="ui-field-error">{faults['gift_terms']}</p>}
      </div>
    </Spot>
  );
}

/** Whether a category is in no other sector. */
function isFreeFor({ sectors }: Terms, own: Sector) {
  return (category: string) =>
    sectors.every((sector) => sector === own || !sector.categories.includes(category));
}

interface SectorProps {
  sector: Sector;
  free: readonly string[];
  onChange: (sector: Sector) => void;
  onRemove: () => void;
}

function SectorFields({ sector, free, onChange, onRemove }: SectorProps) {
  return (
    <fieldset className={styles.category}>
      <legend>Settori uniti</legend>
      <TextField
        label="Nome"
        hint="Per esempio: Palchi."
        maxLength={80}
        value={sector.name}
        onChange={(name) => onChange({ ...sector, name })}
      />
      <Picks
        legend="Settori della pianta"
        options={free.map((category) => [category, category])}
        chosen={sector.categories}
        onChange={(categories) => onChange({ ...sector, categories: [...categories] })}
      />
      <Button small look="quiet" label="Togli" onClick={onRemove} />
    </fieldset>
  );
}

interface NotCountedProps {
  pricing: EventValues['seat_pricing'];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Shows nothing if no ticket type is free and none was chosen before. */
function NotCounted({ pricing, chosen, onChange }: NotCountedProps) {
  const types = pricing.flatMap(({ ticketTypes }) => ticketTypes);
  const find = usePrices(types.map(({ price_id }) => price_id));
  const isFree = (id: string) => {
    const found = find(id);
    return found.kind === 'known' && found.price.unit_amount === 0;
  };
  const free = types.filter(({ price_id }) => isFree(price_id));
  const options = new Map(free.map(({ ticketType, label }) => [ticketType, label]));
  if (options.size + chosen.length === 0) return null;
  return (
    <Picks
      legend="Biglietti gratuiti che non contano"
      hint="Per esempio l’accompagnatore di una persona con disabilità."
      options={[...options]}
      chosen={chosen}
      onChange={(next) => onChange([...next])}
    />
  );
}
