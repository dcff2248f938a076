/** Where an event is: name, address and page of the place. */
import type { Faults } from '#apps/admin/kit/form/form-section.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextControl, type MoreText } from './controls.tsx';
import type { EventValues } from './values.ts';

type VenueName = 'venue_title' | 'venue_address' | 'venue_href';
export type VenueValues = Pick<EventValues, VenueName>;

interface VenueProps {
  values: VenueValues;
  faults: Faults;
  set: (change: Partial<VenueValues>) => void;
}

export function VenueFields({ values, faults, set }: VenueProps) {
  const text = (name: VenueName, props: MoreText) => (
    <TextControl
      name={name}
      value={values[name]}
      error={faults[name] ?? null}
      onChange={(typed) => set({ [name]: typed })}
      {...props}
    />
  );
  return (
    <>
      <div className={formStyles.pair}>
        {text('venue_title', { hint: 'Per esempio «Teatro Goldoni, Livorno».' })}
        {text('venue_address', { more: ' (facoltativo)' })}
      </div>
      {text('venue_href', {
        more: ' (facoltativo)',
        inputMode: 'url',
        autoCapitalize: 'none',
        spellCheck: false,
        hint: 'Si apre toccando il nome del luogo.',
      })}
    </>
  );
}
