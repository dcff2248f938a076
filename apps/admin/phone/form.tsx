/** The form of a phone: name, gate, events and role, for a new one or an existing one. */
import { useEffect, useRef, useState } from 'react';
import { phoneRoles, type PhoneRole } from '#server/domain/door/phone.ts';
import { Check, Radios } from '#apps/admin/kit/form/choices.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import {
  gatesOf,
  nextEvening,
  tellStrangeGate,
  useDoorChoices,
  type DoorChoice,
} from './events.ts';
import { phoneRoleWords } from '#apps/admin/kit/words.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './phones.module.css';
import { Suggestions } from '#apps/admin/kit/form/suggestions.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';

interface PhoneValues {
  name: string;
  gate: string | null;
  event_ids: string[];
  role: PhoneRole;
  chooses_gate: boolean;
}

interface PhoneFormProps {
  start?: PhoneValues & { events: readonly { id: string; title: string }[] };
  submitLabel: string;
  busyLabel: string;
  onSubmit: (values: PhoneValues) => Promise<unknown>;
  onClose: () => void;
}

/** Without `start`: a new phone for the next evening. */
export function PhoneForm(props: PhoneFormProps) {
  return (
    <Loaded query={useDoorChoices()}>
      {(coming) => {
        // The phone's own events stay among the choices, even old ones.
        const choices = [
          ...coming,
          ...(props.start?.events ?? [])
            .filter(({ id }) => !coming.some((choice) => choice.id === id))
            .map(({ id, title }) => ({
              id,
              title,
              soft: '',
              gates: [],
              begins: null,
              opens: null,
            })),
        ];
        return choices.length === 0 ? (
          <p>
            Non c’è nessun evento in arrivo: un telefono serve almeno per un evento, o per una prova
            generale.
          </p>
        ) : (
          <Fields {...props} choices={choices} />
        );
      }}
    </Loaded>
  );
}

function Fields({
  start,
  submitLabel,
  busyLabel,
  onSubmit,
  onClose,
  choices,
}: PhoneFormProps & { choices: DoorChoice[] }) {
  const [name, setName] = useState(start?.name ?? '');
  const [gate, setGate] = useState(start?.gate ?? '');
  const [choosesGate, setChoosesGate] = useState(start?.chooses_gate ?? true);
  const [role, setRole] = useState<PhoneRole>(start?.role ?? 'steward');
  const [chosen, setChosen] = useState<string[]>(
    () => start?.event_ids ?? [nextEvening(choices, Date.now())?.id ?? []].flat(),
  );
  const forThese = choices.filter(({ id }) => chosen.includes(id));
  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    if (chosen.length === 0) setFailure('Scegli almeno un evento.');
    else
      await onSubmit({
        name,
        gate: gate.trim() === '' ? null : gate,
        event_ids: chosen,
        role,
        chooses_gate: choosesGate,
      });
  });
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <TextField
        ref={first}
        label="Nome"
        value={name}
        onChange={setName}
        maxLength={60}
        hint="Per riconoscerlo: «Varco A – Luca»."
        required
      />
      <GateField value={gate} onChange={setGate} events={forThese} />
      <ChoiceField checked={choosesGate} onChange={setChoosesGate} />
      <Radios legend="Chi lo usa" value={role} onChange={setRole} options={roleOptions} />
      <EventChoices choices={choices} chosen={chosen} onChange={setChosen} />
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onClose}
        submitLabel={busy ? busyLabel : submitLabel}
      />
    </form>
  );
}

const roleOptions = phoneRoles.map(
  (one) => [one, phoneRoleWords[one].word, phoneRoleWords[one].hint] as const,
);

/** The person at the door may be sent to another gate in mid-evening. */
function ChoiceField(props: { checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <Check
      {...props}
      label="Il varco si può cambiare dal telefono"
      hint="Tra quelli degli eventi qui sotto. Vale l’ultima scelta: la tua o quella della porta."
    />
  );
}

interface GateFieldProps {
  value: string;
  onChange: (gate: string) => void;
  /** The phone's chosen events. */
  events: readonly DoorChoice[];
}

/** Offers the gates of the chosen events, and warns of an unknown one. */
function GateField({ value, onChange, events }: GateFieldProps) {
  return (
    <>
      <TextField
        label="Varco (facoltativo)"
        value={value}
        onChange={onChange}
        maxLength={60}
        list="event-gates"
        hint={
          <>
            Vuoto: legge i biglietti di tutti i varchi.{' '}
            <span className={`${textStyles.warn} ${styles.strange}`} aria-live="polite">
              {tellStrangeGate(value, events)}
            </span>
          </>
        }
      />
      <Suggestions id="event-gates" options={gatesOf(events).map((gate) => [gate, gate])} />
    </>
  );
}

interface EventChoicesProps {
  choices: readonly DoorChoice[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

function EventChoices({ choices, chosen, onChange }: EventChoicesProps) {
  return (
    <fieldset className={formStyles.choices}>
      <legend>Eventi</legend>
      {choices.map(({ id, title, soft }) => (
        <Check
          key={id}
          label={title}
          hint={soft}
          checked={chosen.includes(id)}
          onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );
}
