/** What a phone of the door is for: its name, gate, events and role; for a new one and for one in use. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { phoneRoles, type PhoneRole } from '#server/domain/phone.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Radios } from '#apps/admin/kit/form-section.tsx';
import { Loaded, tellFailure } from '#apps/admin/kit/loaded.tsx';
import {
  gatesOf,
  nextEvening,
  tellStrangeGate,
  useDoorChoices,
  type DoorChoice,
} from './events.ts';
import { phoneRoleWords } from '#apps/admin/kit/words.ts';

export interface PhoneValues {
  name: string;
  gate: string | null;
  event_ids: string[];
  role: PhoneRole;
}

export interface PhoneFormProps {
  start?: PhoneValues & { events: readonly { id: string; title: string }[] };
  submitLabel: string;
  busyLabel: string;
  onSubmit: (values: PhoneValues) => Promise<unknown>;
  onClose: () => void;
}

/** `start` left out: a new phone, for the next evening. */
export function PhoneForm(props: PhoneFormProps) {
  return (
    <Loaded query={useDoorChoices()}>
      {(coming) => {
        // What it has already is not taken from it, however long ago it was.
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
  const [role, setRole] = useState<PhoneRole>(start?.role ?? 'steward');
  const [chosen, setChosen] = useState<string[]>(
    () => start?.event_ids ?? [nextEvening(choices, Date.now())?.id ?? []].flat(),
  );
  const forThese = choices.filter(({ id }) => chosen.includes(id));
  const strange = tellStrangeGate(gate, forThese);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setFailure(null);
    if (chosen.length === 0) {
      setFailure('Scegli almeno un evento.');
      return;
    }
    setBusy(true);
    try {
      await onSubmit({ name, gate: gate.trim() === '' ? null : gate, event_ids: chosen, role });
    } catch (error) {
      setFailure(tellFailure(error));
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Field
        ref={first}
        label="Nome"
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={60}
        autoComplete="off"
        hint="Per riconoscerlo: «Varco A – Luca»."
        required
      />
      <Field
        label="Varco (facoltativo)"
        value={gate}
        onChange={(event) => setGate(event.target.value)}
        maxLength={60}
        autoComplete="off"
        list="event-gates"
        hint={
          <>
            Vuoto: legge i biglietti di tutti i varchi.{' '}
            <span className="note-warn phone-strange" aria-live="polite">
              {strange}
            </span>
          </>
        }
      />
      <datalist id="event-gates">
        {gatesOf(forThese).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </datalist>
      <Radios
        legend="Chi lo usa"
        value={role}
        onChange={setRole}
        options={phoneRoles.map(
          (one) => [one, phoneRoleWords[one].word, phoneRoleWords[one].hint] as const,
        )}
      />
      <fieldset className="choices">
        <legend>Eventi</legend>
        {choices.map((choice) => (
          <label key={choice.id}>
            <input
              type="checkbox"
              checked={chosen.includes(choice.id)}
              onChange={(change) =>
                setChosen(
                  change.target.checked
                    ? [...chosen, choice.id]
                    : chosen.filter((id) => id !== choice.id),
                )
              }
            />
            <span>
              {choice.title}
              {choice.soft !== '' && <span className="soft">{choice.soft}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {failure !== null && (
        <p className="notice notice-bad" role="alert">
          <Icon name="warning" /> {failure}
        </p>
      )}
      <div className="ui-modal-actions">
        <button type="button" className="ui-button" onClick={onClose}>
          Torna indietro
        </button>
        <button
          type="submit"
          className="ui-button ui-button-primary"
          disabled={busy}
          aria-busy={busy}
        >
          {busy ? busyLabel : submitLabel}
        </button>
      </div>
    </form>
  );
}
