/** Asks how many people come to a table, booth or area that is sold whole. */
import { useId } from 'react';
import type { WholeOffer } from '#server/domain/seat/whole.ts';
import styles from './how-many.late.module.css';

interface HowManyProps extends Pick<WholeOffer, 'places' | 'minimum' | 'price_per'> {
  name: string;
  coming: number;
  onCome: (coming: number) => void;
}

export function HowMany({ name, places, coming, onCome, ...offer }: HowManyProps) {
  const id = useId();
  const stepper = (sign: string, next: number, words: string) => (
    <button
      type="button"
      className="ui-button"
      aria-label={`${words}, ${name}`}
      aria-disabled={next < 1 || next > places}
      onClick={() => next >= 1 && next <= places && onCome(next)}
    >
      {sign}
    </button>
  );
  return (
    <div className={styles.ask} role="group" aria-labelledby={id}>
      <span id={id}>
        Quanti venite? <span className="visually-hidden">{name}</span>
      </span>
      <span className={styles.stepper}>
        {stepper('−', coming - 1, 'Uno in meno')}
        <output aria-live="polite">
          <strong>{coming}</strong> di {places}
        </output>
        {stepper('+', coming + 1, 'Uno in più')}
      </span>
      <span className={`small soft ${styles.note}`}>{notePrice({ ...offer, coming })}</span>
    </div>
  );
}

function notePrice({
  minimum,
  price_per,
  coming,
}: Omit<HowManyProps, 'name' | 'places' | 'onCome'>) {
  if (price_per === 'object') return 'Il prezzo è per tutti i posti, anche se siete meno.';
  const least = minimum === 1 ? 'Si paga almeno 1 posto' : `Si pagano almeno ${minimum} posti`;
  if (coming >= minimum) return `${least}.`;
  return `${least}, anche se ${coming === 1 ? 'viene una persona sola' : `venite in ${coming}`}.`;
}
