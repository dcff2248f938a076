/** The sections of the event form with description, times, venue and terms. */
import { useState } from 'react';
import { eventKinds, type EventKind } from '#server/domain/event/event-kind.ts';
import { eventKindWords } from '#server/domain/event/event-kind-words.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { slugMax } from '#server/domain/event/event.ts';
import { formatLongDate } from '#apps/shared/format.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { RichText } from '#apps/admin/kit/form/rich-text.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { controlsOf, type SectionProps } from './controls.tsx';
import { fieldWords } from './faults.ts';
import { suggestSlug } from './slug.ts';
import { TimeField } from './time-field.tsx';
import { VenueFields } from './venue-fields.tsx';
import { instantOf } from '#apps/admin/kit/form/wall-time.ts';
import type { TimeName } from './values.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface TextsProps {
  section: SectionProps;
  creating: boolean;
  /** False for a show, which has no page of its own. */
  address?: boolean;
}

export function Texts({ section, creating, address = true }: TextsProps) {
  const { values, faults, set } = section;
  // The address follows the title until the user types one.
  const [own, setOwn] = useState(values.id !== '');
  return (
    <Section title="Testi">
      {controlsOf(section).text('title', {
        onChange: (title) => set(creating && !own ? { title, id: suggestSlug(title) } : { title }),
      })}
      <KindField section={section} />
      {address && (
        <Spot field="id">
          {creating ? (
            <SlugField section={section} onOwn={() => setOwn(true)} />
          ) : (
            <p>
              <span className="ui-field-label">{fieldWords['id']}</span>
              <br />
              <code>
                {location.origin}/event/{values.id}
              </code>
            </p>
          )}
        </Spot>
      )}
      <Spot field="description">
        <RichText
          label={eventFieldNames.description}
          start={values.description}
          onChange={(description) => set({ description })}
          hint="Le prime righe si vedono subito, il resto si apre con un tocco."
          error={faults['description'] ?? null}
        />
      </Spot>
    </Section>
  );
}

/** `onOwn` is called when the user types an address. */
function SlugField({ section, onOwn }: { section: SectionProps; onOwn: () => void }) {
  const { values, faults, set } = section;
  return (
    <TextField
      label={fieldWords['id']}
      value={values.id}
      onChange={(id) => {
        onOwn();
        set({ id });
      }}
      maxLength={slugMax}
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
  );
}

export function When({ section }: { section: SectionProps }) {
  const { values, faults, set } = section;
  const time = (name: TimeName, more = '', hint?: string) => (
    <Spot field={name}>
      <TimeField
        label={eventFieldNames[name] + more}
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
        {time('starts_at')}
        {time('ends_at', ' (facoltativa)', 'Per il calendario di chi compra.')}
        {time('doors_at', ' (facoltativa)')}
        {time(
          'admits_from',
          ' (facoltativo)',
          'Prima, al varco compare NON ANCORA. Vuoto: si entra in ogni momento.',
        )}
        {time(
          'admits_until',
          ' (facoltativo)',
          'Da allora, al varco compare INGRESSO CHIUSO. Vuoto: non si chiude.',
        )}
        {time('sales_opens_at', ' (facoltativo)', 'Vuoto: dalla pubblicazione.')}
        {time(
          'sales_closes_at',
          ' (facoltativa)',
          starts === null
            ? 'Vuoto: fino all’inizio.'
            : `Vuoto: fino all’inizio, ${formatLongDate(starts)}.`,
        )}
      </div>
    </Section>
  );
}

export function Where({ section }: { section: SectionProps }) {
  return (
    <Section title="Dove">
      <VenueFields {...section} />
    </Section>
  );
}

export function Terms({ section: { values, faults, set } }: { section: SectionProps }) {
  return (
    <Section title="Testi legali di questo evento">
      <Spot field="terms">
        <RichText
          label={`${eventFieldNames.terms} (facoltative)`}
          start={values.terms}
          onChange={(terms) => set({ terms })}
          hint="Vuote: valgono le condizioni del sito."
          error={faults['terms'] ?? null}
        />
      </Spot>
    </Section>
  );
}

function KindField({ section: { values, faults, set } }: { section: SectionProps }) {
  return (
    <Spot field="kind">
      <Field
        label={eventFieldNames.kind}
        hint="Nel programma si cerca anche per genere."
        error={faults['kind'] ?? null}
      >
        <FieldSelect
          value={values.kind}
          onChange={(event) => set({ kind: event.target.value as EventKind })}
        >
          {eventKinds.map((kind) => (
            <option key={kind} value={kind}>
              {eventKindWords[kind]}
            </option>
          ))}
        </FieldSelect>
      </Field>
    </Spot>
  );
}
