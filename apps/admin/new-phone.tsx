/** The form for a new phone of the door. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { makePhone } from '#server/contract/phones.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Loaded, tellFailure } from './loaded.tsx';
import { useAct } from './session.ts';

type EventRow = ReplyOf<typeof listEvents>['items'][number];

export function NewPhone({ onMade, onClose }: { onMade: (pairing: ReplyOf<typeof makePhone>) => void; onClose: () => void }) {
  const events = useEndpoint(listEvents, {});
  return (
    <Modal title="Nuovo telefono" onClose={onClose}>
      <Loaded query={events}>
        {({ items }) => (items.some(isComing)
          ? <PhoneForm events={items.filter(isComing)} onMade={onMade} onClose={onClose} />
          : <p>Non c’è nessun evento in arrivo: un telefono serve almeno per un evento.</p>)}
      </Loaded>
    </Modal>
  );
}

/** A phone wipes an event two days after its start: older ones would be of no use. */
function isComing(event: EventRow): boolean {
  return event.status !== 'cancelled' && Date.parse(event.starts_at) > Date.now() - 24 * 3_600_000;
}

interface PhoneFormProps { events: EventRow[]; onMade: (pairing: ReplyOf<typeof makePhone>) => void; onClose: () => void }

function PhoneForm({ events, onMade, onClose }: PhoneFormProps) {
  const act = useAct();
  const [name, setName] = useState('');
  const [gate, setGate] = useState('');
  const [chosen, setChosen] = useState<string[]>(events.slice(0, 1).map((event) => event.id));
  // What the tickets of these events say.
  const gates = [...new Set(events.filter((event) => chosen.includes(event.id)).flatMap((event) => event.gates))];
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  async function make(event: FormEvent) {
    event.preventDefault();
    setFailure(null);
    if (chosen.length === 0) {
      setFailure('Scegli almeno un evento.');
      return;
    }
    setBusy(true);
    try {
      onMade(await act(makePhone, { body: { name, gate: gate.trim() === '' ? null : gate, event_ids: chosen } }));
    } catch (error) {
      setFailure(tellFailure(error));
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void make(event)}>
      <Field ref={first} label="Nome" value={name} onChange={(event) => setName(event.target.value)} maxLength={60} autoComplete="off" hint="Per riconoscerlo: «Varco A – Luca»." required />
      <Field label="Varco (facoltativo)" value={gate} onChange={(event) => setGate(event.target.value)} maxLength={60} autoComplete="off" list="event-gates" hint="Vuoto: legge i biglietti di tutti i varchi." />
      <datalist id="event-gates">{gates.map((name) => <option key={name} value={name}>{name}</option>)}</datalist>
      <fieldset className="choices">
        <legend>Eventi</legend>
        {events.map((event) => (
          <label key={event.id}>
            <input type="checkbox" checked={chosen.includes(event.id)} onChange={(change) => setChosen(change.target.checked ? [...chosen, event.id] : chosen.filter((id) => id !== event.id))} />
            <span>{event.title}<span className="soft">{formatShortDate(event.starts_at)}</span></span>
          </label>
        ))}
      </fieldset>
      {failure !== null && <p className="notice notice-bad" role="alert"><Icon name="warning" /> {failure}</p>}
      <div className="ui-modal-actions">
        <button type="button" className="ui-button" onClick={onClose}>Torna indietro</button>
        <button type="submit" className="ui-button ui-button-primary" disabled={busy} aria-busy={busy}>{busy ? 'Creazione in corso…' : 'Crea il codice'}</button>
      </div>
    </form>
  );
}
