/** Sections of the event form: description, times, venue and terms. */
import { useState } from 'react';
import { formLengths, slugMax } from '#server/domain/event.ts';
import { formatLongDate } from '#apps/shared/format.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { RichText } from '#apps/admin/kit/form/rich-text.tsx';
import { Section, Spot, type SectionProps } from '#apps/admin/kit/form/form-section.tsx';
import { suggestSlug } from './slug.ts';
import { TimeField } from './time-field.tsx';
import { instantOf } from './times.ts';
import type { TimeName } from './values.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

/** The address follows the title until somebody writes one. */
export function Texts({ section, creating }: { section: SectionProps; creating: boolean }) {
  const { values, faults, set } = section;
  const [own, setOwn] = useState(values.id !== '');
  const retitle = (title: string) =>
    set(creating && !own ? { title, id: suggestSlug(title) } : { title });
  return (
    <Section title="Testi">
      <Spot field="title">
        <Field
          label="Titolo"
          value={values.title}
          onChange={(event) => retitle(event.target.value)}
          maxLength={formLengths.title}
          autoComplete="off"
          error={faults['title'] ?? null}
        />
      </Spot>
      <Spot field="id">
        {creating ? (
          <Field
            label="Indirizzo della pagina"
            value={values.id}
            onChange={(event) => {
              setOwn(true);
              set({ id: event.target.value });
            }}
            maxLength={slugMax}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint={
              <>
                Dopo la creazione non cambia più. La pagina sarà{' '}
                <code>
                  {location.origin}/event/{values.id || '…'}
                </code>
              </>
            }
            error={faults['id'] ?? null}
          />
        ) : (
          <p>
            <span className="ui-field-label">Indirizzo della pagina</span>
            <br />
            <code>
              {location.origin}/event/{values.id}
            </code>
          </p>
        )}
      </Spot>
      <Spot field="description">
        <RichText
          label="Descrizione"
          start={values.description}
          onChange={(description) => set({ description })}
          hint="Le prime righe si vedono subito, il resto si apre con un tocco."
          error={faults['description'] ?? null}
        />
      </Spot>
    </Section>
  );
}

export function When({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  const time = (name: TimeName, label: string, hint?: string) => (
    <Spot field={name}>
      <TimeField
        label={label}
        hint={hint}
        value={values[name]}
        onChange={(value) => set({ [name]: value })}
        error={faults[name] ?? null}
      />
    </Spot>
  );
  const starts = instantOf(values.starts_at);
  return (
    <Section title="Quando" hint="Ora italiana, come sui manifesti.">
      <div className={formStyles.pair}>
        {time('starts_at', 'Inizio')}
        {time('ends_at', 'Fine (facoltativa)', 'Per il calendario di chi compra.')}
        {time('doors_at', 'Apertura porte (facoltativa)')}
        {time(
          'admits_from',
          'Ingresso dalle (facoltativo)',
          'Prima, al varco compare NON ANCORA. Vuoto: si entra in ogni momento.',
        )}
        {time(
          'admits_until',
          'Ingresso fino alle (facoltativo)',
          'Da allora, al varco compare INGRESSO CHIUSO. Vuoto: non si chiude.',
        )}
        {time('sales_opens_at', 'Vendita dal (facoltativo)', 'Vuoto: dalla pubblicazione.')}
        {time(
          'sales_closes_at',
          'Vendita fino al (facoltativo)',
          starts === null
            ? 'Vuoto: fino all’inizio.'
            : `Vuoto: fino all’inizio, ${formatLongDate(starts)}.`,
        )}
      </div>
    </Section>
  );
}

export function Where({ section: { values, faults, set } }: { section: SectionProps }) {
  return (
    <Section title="Dove">
      <div className={formStyles.pair}>
        <Spot field="venue_title">
          <Field
            label="Luogo"
            value={values.venue_title}
            onChange={(event) => set({ venue_title: event.target.value })}
            maxLength={formLengths.venue_title}
            autoComplete="off"
            hint="Per esempio «Teatro Goldoni, Livorno»."
            error={faults['venue_title'] ?? null}
          />
        </Spot>
        <Spot field="venue_address">
          <Field
            label="Indirizzo (facoltativo)"
            value={values.venue_address}
            onChange={(event) => set({ venue_address: event.target.value })}
            maxLength={formLengths.venue_address}
            autoComplete="off"
            error={faults['venue_address'] ?? null}
          />
        </Spot>
      </div>
      <Spot field="venue_href">
        <Field
          label="Sito o mappa del luogo (facoltativo)"
          inputMode="url"
          value={values.venue_href}
          onChange={(event) => set({ venue_href: event.target.value })}
          maxLength={formLengths.venue_href}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Si apre toccando il nome del luogo."
          error={faults['venue_href'] ?? null}
        />
      </Spot>
    </Section>
  );
}

export function Terms({ section: { values, faults, set } }: { section: SectionProps }) {
  return (
    <Section title="Testi legali di questo evento">
      <Spot field="terms">
        <RichText
          label="Condizioni di vendita (facoltative)"
          start={values.terms}
          onChange={(terms) => set({ terms })}
          hint="Vuote: valgono le condizioni del sito."
          error={faults['terms'] ?? null}
        />
      </Spot>
    </Section>
  );
}
