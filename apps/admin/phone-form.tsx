/** What a phone of the door is for: its name, gate, events and role; for a new one and for one in use. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { listRehearsals } from '#server/contract/rehearsals.ts';
import { phoneRoles, type PhoneRole } from '#server/domain/phone.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Radios } from './event-form-section.tsx';
import { Loaded, tellFailure } from './loaded.tsx';
import { phoneRoleWords } from './words.ts';

export interface PhoneValues { name: string; gate: string | null; event_ids: string[]; role: PhoneRole }

interface Choice { id: string; title: string; soft: string; gates: readonly string[] }

export interface PhoneFormProps { start?: PhoneValues & { events: readonly { id: string; title: string }[] }; submitLabel: string; busyLabel: string; onSubmit: (values: PhoneValues) => Promise<unknown>; onClose: () => void }

/** `start` left out: a new phone, for the next evening. */
export function PhoneForm(props: PhoneFormProps) {
  const events = useEndpoint(listEvents, {});
  const rehearsals = useEndpoint(listRehearsals, {});
  const query = { ...events, data: events.data && rehearsals.data && [...events.data.items.filter(isComing).map(choiceOf), ...rehearsals.data.items.filter(({ closed_at }) => closed_at === null).map(choiceOfRehearsal)] };
  return (
    <Loaded query={query}>
      {(coming) => {
        // What it has already is not taken from it, however long ago it was.
        const choices = [...coming, ...(props.start?.events ?? []).filter(({ id }) => !coming.some((choice) => choice.id === id)).map(({ id, title }) => ({ id, title, soft: '', gates: [] }))];
        return choices.length === 0
          ? <p>Non c’è nessun evento in arrivo: un telefono serve almeno per un evento, o per una prova generale.</p>
          : <Fields {...props} choices={choices} />;
      }}
    </Loaded>
  );
}

/** A phone wipes an event two days after its start: older ones would be of no use. */
function isComing(event: ReplyOf<typeof listEvents>['items'][number]): boolean {
  return event.status !== 'cancelled' && Date.parse(event.starts_at) > Date.now() - 24 * 3_600_000;
}

function choiceOf({ id, title, starts_at, gates }: ReplyOf<typeof listEvents>['items'][number]): Choice {
  return { id, title, soft: formatShortDate(starts_at), gates };
}

function choiceOfRehearsal({ event_id, title, gates }: ReplyOf<typeof listRehearsals>['items'][number]): Choice {
  return { id: event_id, title, soft: 'Per provare', gates };
}

function Fields({ start, submitLabel, busyLabel, onSubmit, onClose, choices }: PhoneFormProps & { choices: Choice[] }) {
  const [name, setName] = useState(start?.name ?? '');
  const [gate, setGate] = useState(start?.gate ?? '');
  const [role, setRole] = useState<PhoneRole>(start?.role ?? 'steward');
  const [chosen, setChosen] = useState<string[]>(start?.event_ids ?? choices.slice(0, 1).map(({ id }) => id));
  // What the tickets of these events say.
  const gates = [...new Set(choices.filter(({ id }) => chosen.includes(id)).flatMap((choice) => choice.gates))];
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
      <Field ref={first} label="Nome" value={name} onChange={(event) => setName(event.target.value)} maxLength={60} autoComplete="off" hint="Per riconoscerlo: «Varco A – Luca»." required />
      <Field label="Varco (facoltativo)" value={gate} onChange={(event) => setGate(event.target.value)} maxLength={60} autoComplete="off" list="event-gates" hint="Vuoto: legge i biglietti di tutti i varchi." />
      <datalist id="event-gates">{gates.map((one) => <option key={one} value={one}>{one}</option>)}</datalist>
      <Radios legend="Chi lo usa" value={role} onChange={setRole} options={phoneRoles.map((one) => [one, phoneRoleWords[one].word, phoneRoleWords[one].hint] as const)} />
      <fieldset className="choices">
        <legend>Eventi</legend>
        {choices.map((choice) => (
          <label key={choice.id}>
            <input type="checkbox" checked={chosen.includes(choice.id)} onChange={(change) => setChosen(change.target.checked ? [...chosen, choice.id] : chosen.filter((id) => id !== choice.id))} />
            <span>{choice.title}{choice.soft !== '' && <span className="soft">{choice.soft}</span>}</span>
          </label>
        ))}
      </fieldset>
      {failure !== null && <p className="notice notice-bad" role="alert"><Icon name="warning" /> {failure}</p>}
      <div className="ui-modal-actions">
        <button type="button" className="ui-button" onClick={onClose}>Torna indietro</button>
        <button type="submit" className="ui-button ui-button-primary" disabled={busy} aria-busy={busy}>{busy ? busyLabel : submitLabel}</button>
      </div>
    </form>
  );
}
