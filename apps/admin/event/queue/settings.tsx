/** The settings of a waiting room: when the order is drawn, its speed, the bypass code. */
import { useState } from 'react';
import { setQueue } from '#server/contract/queue.ts';
import { queueBounds, type QueueMode } from '#server/domain/queue/queue.ts';
import { Check, Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TimeField } from '#apps/admin/event/form/time-field.tsx';
import { readWallTime, wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';
import { modeOptions, type Desk } from './words.ts';

interface QueueSettingsProps {
  eventId: string;
  desk: Desk;
}

function valuesOf(desk: Desk) {
  return {
    mode: desk.mode,
    opens: wallTimeOf(desk.opens_at),
    isFixed: desk.fixed_per_minute !== null,
    perMinute: String(desk.fixed_per_minute ?? desk.per_minute),
    minutes: String(desk.minutes),
    mostInside: desk.most_inside === null ? '' : String(desk.most_inside),
    code: desk.code ?? '',
  };
}
type Values = ReturnType<typeof valuesOf>;

/** Returns a sentence if the server would refuse the values. */
function bodyOf({ mode, opens, isFixed, perMinute, minutes, mostInside, code }: Values) {
  const time = readWallTime(opens);
  if (time.kind === 'half' || time.kind === 'skipped')
    return 'Scrivi giorno e ora del sorteggio, o lascia vuoti tutti e due.';
  const { per_minute, minutes: minuteBounds, inside, code: codeBounds } = queueBounds;
  if (isFixed && !isWithin(perMinute, per_minute))
    return `Al minuto entrano da ${per_minute.least} a ${per_minute.most} persone.`;
  if (!isWithin(minutes, minuteBounds))
    return `Un turno dura da ${minuteBounds.least} a ${minuteBounds.most} minuti.`;
  if (mostInside !== '' && !isWithin(mostInside, inside))
    return `Dentro insieme: da ${inside.least} a ${inside.most} persone.`;
  if (code.trim() !== '' && code.trim().length < codeBounds.least)
    return `Il codice ha almeno ${codeBounds.least} caratteri.`;
  return {
    mode,
    opens_at: 'at' in time ? new Date(time.at).toISOString() : null,
    fixed_per_minute: isFixed ? Number(perMinute) : null,
    minutes: Number(minutes),
    most_inside: mostInside === '' ? null : Number(mostInside),
    code: code.trim() || null,
  };
}

function isWithin(text: string, { least, most }: { least: number; most: number }): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}

export function QueueSettings({ eventId, desk }: QueueSettingsProps) {
  const change = useChange();
  const [values, setValues] = useState(() => valuesOf(desk));
  const set = (part: Partial<Values>) => setValues({ ...values, ...part });
  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    const body = bodyOf(values);
    if (typeof body === 'string') return setFailure(body);
    await change(setQueue, { params: { eventId }, body });
  });
  return (
    <Panel aria-labelledby="settings-title">
      <h2 id="settings-title">Impostazioni</h2>
      <form className={formStyles.stack} onSubmit={submit} noValidate>
        <Radios
          legend="Sala d’attesa"
          value={values.mode}
          onChange={(mode: QueueMode) => set({ mode })}
          options={modeOptions}
        />
        {values.mode !== 'off' && (
          <Details values={values} set={set} isDrawn={desk.root !== null} />
        )}
        <FormActions busy={busy} failure={failure} submitLabel="Salva" />
      </form>
    </Panel>
  );
}

interface DetailsProps {
  values: Values;
  set: (part: Partial<Values>) => void;
  isDrawn: boolean;
}

function Details({ values, set, isDrawn }: DetailsProps) {
  return (
    <>
      {values.mode === 'on' && !isDrawn && (
        <TimeField
          label="Sorteggio"
          hint="Vuoto: all’apertura della vendita."
          value={values.opens}
          onChange={(opens) => set({ opens })}
        />
      )}
      <Check
        label="Ritmo fisso"
        hint="Altrimenti segue la velocità delle prenotazioni: cresce piano, e si dimezza se rallentano."
        checked={values.isFixed}
        onChange={(isFixed) => set({ isFixed })}
      />
      {values.isFixed && (
        <TextField
          label="Persone al minuto"
          inputMode="numeric"
          value={values.perMinute}
          onChange={(perMinute) => set({ perMinute })}
        />
      )}
      <TextField
        label="Minuti per ogni turno"
        hint="Da quando si è chiamati a quando si prenota. Il pagamento ha poi il suo tempo."
        inputMode="numeric"
        value={values.minutes}
        onChange={(minutes) => set({ minutes })}
      />
      <TextField
        label="Dentro insieme, al massimo"
        hint="Vuoto: senza limite."
        inputMode="numeric"
        value={values.mostInside}
        onChange={(mostInside) => set({ mostInside })}
      />
      <TextField
        label="Codice per non aspettare"
        hint="Per soci e abbonati: chi lo ha entra subito. Vuoto: nessun codice."
        maxLength={queueBounds.code.most}
        value={values.code}
        onChange={(code) => set({ code })}
      />
    </>
  );
}
