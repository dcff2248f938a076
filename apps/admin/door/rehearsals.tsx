/** Rehearsals: practice evenings for whoever stands at the door, so that nobody sees a red screen for the first time with a queue behind him. */
import { useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { listRehearsals, makeRehearsal } from '#server/contract/rehearsals.ts';
import { hasRole } from '#server/domain/user.ts';
import { formatCount, formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { PageTitle } from '#apps/admin/shell/layout.tsx';
import { Empty, Loaded, tellFailure } from '#apps/admin/kit/loaded.tsx';
import { useAct, useUser } from '#apps/admin/shell/session.ts';

export function RehearsalsScreen() {
  const rehearsals = useEndpoint(listRehearsals, {}, { refetchInterval: 15_000 });
  const mayMake = hasRole(useUser().role, makeRehearsal.who);
  const [making, setMaking] = useState(false);
  const fresh = mayMake && (
    <button type="button" className="ui-button ui-button-primary" onClick={() => setMaking(true)}>
      <Icon name="plus" /> Nuova prova
    </button>
  );
  return (
    <>
      <PageTitle title="Prova generale">{fresh}</PageTitle>
      <p className="soft rehearsals-why">
        Un evento finto per provare i telefoni prima di aprire le porte: un foglio di codici, uno
        per ogni parola che può comparire. Non si vede sul sito, non conta nelle vendite, non manda
        e-mail.
      </p>
      <Loaded query={rehearsals}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="list" title="Nessuna prova, per ora.">
              <p>Bastano un telefono, una stampante e cinque minuti.</p>
            </Empty>
          ) : (
            <RehearsalTable rehearsals={items} />
          )
        }
      </Loaded>
      {making && <NewRehearsal onClose={() => setMaking(false)} />}
    </>
  );
}

function RehearsalTable({ rehearsals }: { rehearsals: ReplyOf<typeof listRehearsals>['items'] }) {
  return (
    <table className="table rehearsals">
      <thead>
        <tr>
          <th scope="col">Prova</th>
          <th scope="col">Stato</th>
          <th scope="col">Preparata</th>
          <th scope="col">Telefoni</th>
        </tr>
      </thead>
      <tbody>
        {rehearsals.map((rehearsal) => (
          <tr key={rehearsal.event_id}>
            <th scope="row">
              <Link className="strong" to={`/rehearsals/${encodeURIComponent(rehearsal.event_id)}`}>
                {rehearsal.title}
              </Link>
            </th>
            <td>
              {rehearsal.closed_at === null ? (
                <Badge tone="good" icon="check">
                  Aperta
                </Badge>
              ) : (
                <Badge icon="lock">Chiusa</Badge>
              )}
            </td>
            <td>
              <time dateTime={rehearsal.created_at}>{formatListDate(rehearsal.created_at)}</time>
            </td>
            <td>
              {rehearsal.phones.length === 0 ? (
                <span className="soft">nessuno</span>
              ) : (
                formatCount(rehearsal.phones.length, 'telefono', 'telefoni')
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NewRehearsal({ onClose }: { onClose: () => void }) {
  const act = useAct();
  const navigate = useNavigate();
  const events = useEndpoint(listEvents, {});
  const [event_id, setEvent] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function make(submit: FormEvent) {
    submit.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const made = await act(makeRehearsal, {
        body: { event_id: (event_id ?? events.data?.items[0]?.id) || null },
      });
      await navigate(`/rehearsals/${encodeURIComponent(made.event_id)}`);
    } catch (error) {
      setFailure(tellFailure(error));
      setBusy(false);
    }
  }

  return (
    <Modal title="Nuova prova generale" onClose={onClose}>
      <Loaded query={events}>
        {({ items }) => (
          <form className="stack" onSubmit={(event) => void make(event)}>
            <Field
              label="Come quale evento"
              hint="Posti, categorie e varchi della prova saranno come i suoi."
              // oxlint-disable-next-line react/no-unstable-nested-components -- Field calls it to draw its control: it is no component
              control={(props) => (
                <select
                  {...props}
                  value={event_id ?? items[0]?.id ?? ''}
                  onChange={(event) => setEvent(event.target.value)}
                >
                  {items.map((event) => (
                    <option key={event.id} value={event.id}>
                      {event.title || 'Senza titolo'} · {formatShortDate(event.starts_at)}
                    </option>
                  ))}
                  <option value="">Nessuno: posti inventati</option>
                </select>
              )}
            />
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
                {busy ? 'Preparazione…' : 'Prepara la prova'}
              </button>
            </div>
          </form>
        )}
      </Loaded>
    </Modal>
  );
}
