/**
 * The second step: whether the evening goes to another building, and what its buyers are told. It
 * changes nothing yet.
 */
import { useState } from 'react';
import { readEvent } from '#server/contract/event-desk.ts';
import { suggestRehousingPlace } from '#server/contract/rehousings.ts';
import { venueWords } from '#server/domain/event/event.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { longestWhy } from '#server/domain/seat/rehousing-place.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import type { Faults } from '#apps/admin/kit/form/form-section.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { AnswerFields } from '#apps/admin/event/answer-fields.tsx';
import { TimeField } from '#apps/admin/event/form/time-field.tsx';
import { VenueFields } from '#apps/admin/event/form/venue-fields.tsx';
import {
  placeValues,
  readPlace,
  type EventForm,
  type News,
  type PlaceValues,
} from './place-form.ts';
import type { Plan } from './plan.ts';
import styles from './rehousing.module.css';

interface PlaceStepProps {
  eventId: string;
  chart_key: string;
  /** What the plan for this hall tells already. */ news: Plan['news'];
  onNews: (news: News) => Promise<unknown>;
  onBack: () => void;
  submitLabel: string;
  busyLabel: string;
}

export function PlaceStep({ eventId, chart_key, news, ...form }: PlaceStepProps) {
  const params = { eventId };
  const event = useEndpoint(readEvent, { params });
  const place = useEndpoint(
    suggestRehousingPlace,
    { params, query: { chart_key } },
    { refetchOnWindowFocus: false },
  );
  return (
    <Loaded query={event}>
      {(data) => (
        <Loaded query={place}>
          {(suggested) => (
            <PlaceForm
              now={data.form}
              start={placeValues(data.form, suggested, news)}
              isKnown={suggested.is_other === true}
              {...form}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface PlaceFormProps extends Pick<
  PlaceStepProps,
  'onNews' | 'onBack' | 'submitLabel' | 'busyLabel'
> {
  now: EventForm;
  start: PlaceValues;
  /** The place comes from another event in the hall. */ isKnown: boolean;
}

function PlaceForm({ now, start, isKnown, onNews, onBack, ...labels }: PlaceFormProps) {
  const [values, setValues] = useState(start);
  const [faults, setFaults] = useState<Faults>({});
  const set = (change: Partial<PlaceValues>) => setValues({ ...values, ...change });
  const sending = useSubmit(async () => {
    const read = readPlace(now, values);
    if (!('faults' in read)) return onNews(read);
    setFaults(read.faults);
    sending.setFailure(read.faults['moves'] ?? 'Controlla i campi segnati.');
    return undefined;
  });
  return (
    <form className={styles.choose} onSubmit={sending.submit} noValidate>
      <Radios
        legend="Il luogo cambia?"
        value={values.moves === null ? '' : values.moves ? 'moves' : 'stays'}
        onChange={(choice) => set({ moves: choice === 'moves' })}
        options={[
          ['stays', `No, resta: ${venueWords(now)}`, 'Cambia solo la sala.'],
          [
            'moves',
            'Sì, l’evento va in un altro luogo',
            'Ogni acquirente riceve una sola e-mail con il luogo e il posto nuovi, e può chiedere il rimborso.',
          ],
        ]}
      />
      {values.moves === true && (
        <NewPlace values={values} faults={faults} set={set} isKnown={isKnown} />
      )}
      <TextField
        label={values.moves === true ? 'Perché' : 'Perché (facoltativo)'}
        hint="Una frase: si legge nell’e-mail, come motivo."
        maxLength={longestWhy}
        value={values.reason}
        onChange={(reason) => set({ reason })}
        error={(values.moves === true && faults['reason']) || null}
      />
      <FormActions
        busy={sending.busy}
        failure={sending.failure}
        onCancel={onBack}
        submitLabel={sending.busy ? labels.busyLabel : labels.submitLabel}
      />
    </form>
  );
}

interface NewPlaceProps {
  values: PlaceValues;
  faults: Faults;
  set: (change: Partial<PlaceValues>) => void;
  isKnown: boolean;
}

function NewPlace({ values, faults, set, isKnown }: NewPlaceProps) {
  return (
    <div className={styles.choose}>
      {isKnown && (
        <p className={styles.under}>Il luogo è quello dell’ultimo evento in questa sala.</p>
      )}
      <VenueFields values={values} faults={faults} set={set} />
      <TimeField
        label={`${eventFieldNames.doors_at} (facoltativa)`}
        value={values.doors_at}
        onChange={(doors_at) => set({ doors_at })}
        error={faults['doors_at'] ?? null}
      />
      <AnswerFields
        until={values.until}
        onUntil={(until) => set({ until })}
        error={faults['answer_by'] ?? null}
        if_silent={values.if_silent}
        onSilent={(if_silent) => set({ if_silent })}
      />
    </div>
  );
}
