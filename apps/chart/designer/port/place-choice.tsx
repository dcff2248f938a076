/** Where an imported drawing is put: beside, over, or in place of the present one. */
import type { Place } from './place-drawing.ts';

const places: { place: Place; title: string; hint: string }[] = [
  { place: 'beside', title: 'Accanto', hint: 'A destra di ciò che è già disegnato.' },
  {
    place: 'here',
    title: 'Alle sue coordinate',
    hint: 'Per esempio sopra lo sfondo da ricalcare.',
  },
  {
    place: 'instead',
    title: 'Al posto della pianta',
    hint: 'Ciò che è disegnato viene tolto; si può annullare.',
  },
];

interface ChoiceLook {
  value: Place;
  onChange: (place: Place) => void;
}

export function PlaceChoice({ value, onChange }: ChoiceLook) {
  return (
    <fieldset className="bsd-port-choice">
      <legend>Dove metterlo</legend>
      {places.map(({ place, title, hint }) => (
        <label key={place} className="bsd-check">
          <input
            type="radio"
            name="bsd-port-place"
            checked={value === place}
            onChange={() => onChange(place)}
          />
          <span>
            {title}
            <small>{hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
