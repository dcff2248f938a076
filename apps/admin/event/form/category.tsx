/** One category of the chart in the event form: its ticket types, each with a name and a Stripe price. */
import { useState } from 'react';
import { formLengths } from '#server/domain/event.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { Faults } from '#apps/admin/kit/form-faults.ts';
import { PricePicker } from './price-picker.tsx';
import { Spot } from '#apps/admin/kit/form/form-section.tsx';
import { newTicketType, type CategoryValues, type TypeValues } from './values.ts';
import { priceFault, priceWords, type PriceFound } from './known-prices.ts';
import { Notice } from '#apps/admin/kit/notice.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './form.module.css';

interface CategoryProps {
  label: string;
  /** Null: not known. */
  color: string | null;
  /** The chart has no such category (any more). */
  stray: boolean;
  /** Its place in the form, for the names of its faults; -1 while it has no tickets. */
  at: number;
  entry: CategoryValues;
  faults: Faults;
  find: (priceId: string) => PriceFound;
  onChange: (entry: CategoryValues | null) => void;
}

const firstLabels = ['Intero', 'Ridotto', 'Omaggio'];

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

  function add() {
    const name =
      firstLabels.find((known) => ticketTypes.every((type) => type.label !== known)) ?? '';
    change([
      ...ticketTypes,
      {
        label: name,
        price_id: '',
        ticketType: newTicketType(
          name,
          ticketTypes.map((type) => type.ticketType),
        ),
      },
    ]);
  }

  return (
    <fieldset className={styles.category}>
      <legend>
        {color !== null && (
          <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
        )}
        {label}
      </legend>
      {stray && (
        <Notice tone="bad">
          <span>
            Questo settore non esiste nella pianta scelta.{' '}
            <button type="button" className={textStyles.link} onClick={() => onChange(null)}>
              Togli il settore {label}
            </button>
          </span>
        </Notice>
      )}
      {ticketTypes.length === 0 && (
        <p>
          <Badge icon="lock">Non in vendita</Badge>
        </p>
      )}
      {ticketTypes.map((type, nth) => (
        <div className={styles.ticketType} key={type.ticketType}>
          <Spot field={`label ${at}.${nth}`}>
            <Field
              label="Biglietto"
              value={type.label}
              maxLength={formLengths.ticket_label}
              autoComplete="off"
              error={faults[`label ${at}.${nth}`] ?? null}
              onChange={(event) =>
                change(ticketTypes.with(nth, { ...type, label: event.target.value }))
              }
            />
          </Spot>
          <Spot field={`price ${at}.${nth}`}>
            <PriceField
              label="Prezzo su Stripe"
              about={`${label}, ${type.label || 'biglietto'}`}
              value={type.price_id}
              found={find(type.price_id)}
              error={faults[`price ${at}.${nth}`] ?? null}
              onChange={(price_id) => change(ticketTypes.with(nth, { ...type, price_id }))}
            />
          </Spot>
          <button
            type="button"
            className={`ui-button ui-button-quiet ${buttonStyles.small}`}
            onClick={() => change(ticketTypes.toSpliced(nth, 1))}
          >
            Togli
            <span className="visually-hidden">
              {' '}
              {type.label || 'il biglietto'} da {label}
            </span>
          </button>
        </div>
      ))}
      {!stray && ticketTypes.length > 0 && (
        <Field
          label="Varco (facoltativo)"
          hint="Sul biglietto e alla porta: chi arriva a un altro varco ci viene mandato."
          value={entry.gate ?? ''}
          maxLength={formLengths.gate}
          autoComplete="off"
          list="used-gates"
          onChange={(event) => onChange(withGate(entry, event.target.value))}
        />
      )}
      {!stray && (
        <button type="button" className={`ui-button ${buttonStyles.small}`} onClick={add}>
          <Icon name="plus" size={16} /> Aggiungi un biglietto
          <span className="visually-hidden"> per {label}</span>
        </button>
      )}
    </fieldset>
  );
}

/** An empty field is no gate at all, so that typing and taking back leaves nothing to save. */
function withGate({ category, ticketTypes }: CategoryValues, gate: string): CategoryValues {
  return { category, ticketTypes, ...(gate === '' ? {} : { gate }) };
}

interface PriceFieldProps {
  label: string;
  /** Whose price it is, where several fields have the same label. */ about: string;
  hint?: string;
  value: string;
  found: PriceFound;
  error: string | null;
  onChange: (priceId: string) => void;
}

/** Chosen out of Stripe's list, or typed; the codes that other events use are offered while one types. Product and sum are what Stripe says now. */
export function PriceField({ label, about, hint, value, found, error, onChange }: PriceFieldProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div>
      <div className={styles.priceEntry}>
        <Field
          label={label}
          hint={hint}
          value={value}
          maxLength={formLengths.price_id}
          list="used-prices"
          placeholder="price_…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={error ?? priceFault(found)}
          onChange={(event) => onChange(event.target.value)}
        />
        <button type="button" className="ui-button" onClick={() => setChoosing(true)}>
          Scegli…<span className="visually-hidden"> il prezzo: {about}</span>
        </button>
      </div>
      <p className={styles.priceFound} aria-live="polite">
        {found.kind === 'known'
          ? priceWords(found.price)
          : found.kind === 'asking'
            ? 'Chiedo a Stripe…'
            : found.kind === 'silent'
              ? 'Stripe non risponde: il prezzo si vedrà più tardi.'
              : ''}
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
