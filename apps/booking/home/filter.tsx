/** Finds an evening in a long programme by words, month, place and kind. */
import { useEffect, useId, useRef } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { monthOf } from '#apps/booking/event/month-of.ts';
import type { EventKind } from '#server/domain/event/event-kind.ts';
import { eventKindWords } from '#server/domain/event/event-kind-words.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import styles from './filter.module.css';

interface Wish {
  words: string;
  month: string;
  place: string;
  kind: string;
}
export const noWish: Wish = { words: '', month: '', place: '', kind: '' };

interface Evening {
  title: string;
  starts_at: string;
  venue_title: string;
  kind: EventKind;
}

/** Ignores accents and capitals: "perche" finds "Perché". */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function matches(event: Evening, { words, month, place, kind }: Wish): boolean {
  const text = plain(`${event.title} ${event.venue_title}`);
  const wanted = plain(words).split(/\s+/);
  return (
    wanted.every((word) => text.includes(word)) &&
    (month === '' || monthOf(event) === month) &&
    (place === '' || event.venue_title === place) &&
    (kind === '' || eventKindWords[event.kind] === kind)
  );
}

interface FilterProps {
  events: readonly Evening[];
  found: number;
  wish: Wish;
  onWish: (wish: Wish) => void;
}

export function ProgrammeFilter({ events, found, wish, onWish }: FilterProps) {
  const change = (name: keyof Wish) => (event: { target: { value: string } }) =>
    onWish({ ...wish, [name]: event.target.value });
  const box = useRef<HTMLElement>(null);
  // React does not learn of words that were typed before the page's script came.
  useEffect(() => {
    const words = box.current?.querySelector('input')?.value ?? '';
    if (words !== '') onWish({ ...noWish, words });
  }, [onWish]);
  const isUsed = Object.values(wish).some((part) => part !== '');
  return (
    <search ref={box} className="no-print needs-script">
      <div className={styles.filter}>
        <Field
          label="Cerca"
          type="search"
          placeholder="Cerca"
          maxLength={100}
          value={wish.words}
          onChange={change('words')}
        />
        <Choice
          label="Mese"
          options={events.map(monthOf)}
          value={wish.month}
          onChange={change('month')}
        />
        <Choice
          label="Luogo"
          options={events.map((event) => event.venue_title)}
          value={wish.place}
          onChange={change('place')}
        />
        <Choice
          label="Genere"
          options={events.map((event) => eventKindWords[event.kind])}
          value={wish.kind}
          onChange={change('kind')}
        />
      </div>
      <p className={styles.found}>
        <output>{isUsed && formatCount(found, 'spettacolo trovato', 'spettacoli trovati')}</output>
        {isUsed && (
          <button
            type="button"
            className="ui-button ui-button-quiet"
            onClick={() => onWish(noWish)}
          >
            Mostra tutti
          </button>
        )}
      </p>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly string[];
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

/** Renders nothing if there is only one option. */
function Choice({ label, options, value, onChange }: ChoiceProps) {
  const id = useId();
  const different = [...new Set(options)];
  if (different.length < 2) return null;
  return (
    <div className="ui-field">
      <label className="ui-field-label" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="ui-input" value={value} onChange={onChange}>
        <option value="">{label}</option>
        {different.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </div>
  );
}
