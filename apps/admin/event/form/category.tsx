/** One category of the chart in the event form: its ticket types, each with a Stripe price. */
import { useState } from 'react';
import { formLengths } from '#server/domain/event/event.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { PricePicker } from './price-picker.tsx';
import { Spot, type Faults } from '#apps/admin/kit/form/form-section.tsx';
import { newTicketType, type CategoryValues, type TypeValues } from './values.ts';
import { priceFault, priceWords, type PriceFound } from './known-prices.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './form.module.css';

interface CategoryProps {
  label: string;
  color: string | null;
  /** True if the chart has no such category (any more). */
  stray: boolean;
  /** The index of its entry, which is part of the fields' names; -1 without an entry. */
  at: number;
  entry: CategoryValues;
  faults: Faults;
  find: (priceId: string) => PriceFound;
  onChange: (entry: CategoryValues | null) => void;
}

const firstLabels = ['Intero', 'Ridotto', 'Omaggio'];

/** A new ticket type with the first usual name that is free. */
function nextType(types: readonly TypeValues[]): TypeValues {
  const label = firstLabels.find((known) => types.every((type) => type.label !== known)) ?? '';
  const taken = types.map((type) => type.ticketType);
  return { label, price_id: '', ticketType: newTicketType(label, taken) };
}

export function CategoryPrices({
  label,
  color,
  stray,
  at,
  entry,
  faults,
  find,
  onChange,
}: CategoryProps) {
  const { ticketTypes } = entry;
  const change = (types: TypeValues[]) =>
    onChange(types.length === 0 ? null : { ...entry, ticketTypes: types });
  const isWrong = (type: TypeValues, nth: number) =>
    isFaulty(faults, `${at}.${nth}`) || priceFault(find(type.price_id)) !== null;

  return (
    <fieldset className={styles.category}>
      <legend>
        {color !== null && (
          <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
        )}
        {label}
      </legend>
      {stray && <Stray label={label} onRemove={() => onChange(null)} />}
      {ticketTypes.length === 0 && !stray && (
        <Check
          label="Non in vendita"
          checked={at >= 0}
          onChange={(checked) => onChange(checked ? { ...entry, ticketTypes: [] } : null)}
        />
      )}
      <PriceList types={ticketTypes} find={find} />
      {!stray && ticketTypes.length > 0 && (
        <TextField
          label="Varco (facoltativo)"
          hint="Sul biglietto e alla porta: chi arriva a un altro varco ci viene mandato."
          value={entry.gate ?? ''}
          maxLength={formLengths.gate}
          list="used-gates"
          onChange={(text) => onChange(withGate(entry, text))}
        />
      )}
      <TechnicalDetails fields open={ticketTypes.some(isWrong)}>
        <TicketTypes
          label={label}
          at={at}
          stray={stray}
          types={ticketTypes}
          faults={faults}
          find={find}
          onChange={change}
        />
      </TechnicalDetails>
    </fieldset>
  );
}

interface TicketTypesProps extends Pick<
  CategoryProps,
  'label' | 'at' | 'stray' | 'faults' | 'find'
> {
  types: TypeValues[];
  onChange: (types: TypeValues[]) => void;
}

function TicketTypes({ label, at, stray, types, faults, find, onChange }: TicketTypesProps) {
  return (
    <>
      {types.map((type, nth) => (
        <TicketType
          key={type.ticketType}
          category={label}
          name={`${at}.${nth}`}
          type={type}
          faults={faults}
          find={find}
          onChange={(next) => onChange(types.with(nth, next))}
          onRemove={() => onChange(types.toSpliced(nth, 1))}
        />
      ))}
      {!stray && (
        <Button small onClick={() => onChange([...types, nextType(types)])}>
          <Icon name="plus" size={16} /> Aggiungi un biglietto
          <span className="visually-hidden"> per {label}</span>
        </Button>
      )}
    </>
  );
}

function isFaulty(faults: Faults, name: string): boolean {
  return `label ${name}` in faults || `price ${name}` in faults;
}

/** The sector's prices as Stripe has them now. */
function PriceList({ types, find }: { types: readonly TypeValues[]; find: CategoryProps['find'] }) {
  if (types.length === 0) return null;
  return (
    <ul className={styles.priceList}>
      {types.map(({ ticketType, label, price_id }) => (
        <li key={ticketType}>
          {label || 'Biglietto'}: <strong>{tellAmount(find(price_id))}</strong>
        </li>
      ))}
    </ul>
  );
}

function tellAmount(found: PriceFound): string {
  if (found.kind === 'known') return formatEuro(found.price.unit_amount);
  return found.kind === 'asking' ? '…' : 'N/D';
}

function Stray({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Notice tone="bad">
      Questo settore non esiste nella pianta scelta.{' '}
      <button type="button" className={textStyles.link} onClick={onRemove}>
        Togli il settore {label}
      </button>
    </Notice>
  );
}

interface TicketTypeProps {
  /** The category's label. */
  category: string;
  /** The beginning of both fields' names, as in faults. */
  name: string;
  type: TypeValues;
  faults: Faults;
  find: (priceId: string) => PriceFound;
  onChange: (type: TypeValues) => void;
  onRemove: () => void;
}

function TicketType({ category, name, type, faults, find, onChange, onRemove }: TicketTypeProps) {
  return (
    <div className={styles.ticketType}>
      <Spot field={`label ${name}`}>
        <TextField
          label="Biglietto"
          value={type.label}
          maxLength={formLengths.ticket_label}
          error={faults[`label ${name}`] ?? null}
          onChange={(label) => onChange({ ...type, label })}
        />
      </Spot>
      <Spot field={`price ${name}`}>
        <PriceField
          label="Prezzo su Stripe"
          about={`${category}, ${type.label || 'biglietto'}`}
          value={type.price_id}
          found={find(type.price_id)}
          error={faults[`price ${name}`] ?? null}
          onChange={(price_id) => onChange({ ...type, price_id })}
        />
      </Spot>
      <Button small look="quiet" onClick={onRemove}>
        Togli
        <span className="visually-hidden">
          {' '}
          {type.label || 'il biglietto'} da {category}
        </span>
      </Button>
    </div>
  );
}

/** An empty text removes the gate, so that typing and deleting leaves no change. */
function withGate({ category, ticketTypes }: CategoryValues, gate: string): CategoryValues {
  return { category, ticketTypes, ...(gate === '' ? {} : { gate }) };
}

interface PriceFieldProps {
  label: string;
  /** Names the price for screen readers, because many fields share one label. */ about: string;
  hint?: string;
  value: string;
  found: PriceFound;
  error: string | null;
  onChange: (priceId: string) => void;
}

/** The price is typed or chosen from Stripe's list; product and sum come from Stripe. */
export function PriceField({ label, about, hint, value, found, error, onChange }: PriceFieldProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div>
      <div className={styles.priceEntry}>
        <TextField
          label={label}
          hint={hint}
          value={value}
          maxLength={formLengths.price_id}
          list="used-prices"
          placeholder="price_…"
          autoCapitalize="none"
          spellCheck={false}
          error={error ?? priceFault(found)}
          onChange={onChange}
        />
        <Button onClick={() => setChoosing(true)}>
          Scegli…<span className="visually-hidden"> il prezzo: {about}</span>
        </Button>
      </div>
      <p className={styles.priceFound} aria-live="polite">
        {tellFound(found)}
      </p>
      {choosing && (
        <PricePicker
          about={about}
          value={value}
          onClose={() => setChoosing(false)}
          onPick={(price_id) => {
            onChange(price_id);
            setChoosing(false);
          }}
        />
      )}
    </div>
  );
}

function tellFound(found: PriceFound): string {
  if (found.kind === 'known') return priceWords(found.price);
  if (found.kind === 'asking') return 'Chiedo a Stripe…';
  return found.kind === 'silent' ? 'Stripe non risponde: il prezzo si vedrà più tardi.' : '';
}
