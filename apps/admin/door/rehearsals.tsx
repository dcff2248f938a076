/** The list of rehearsals, in which door staff try every kind of answer before the real evening. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { listRehearsals, makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { formatCount, formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import { ListSearchField, NothingFound, useListSearch } from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './rehearsal.module.css';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { Button } from '#apps/admin/kit/button.tsx';

export function RehearsalsScreen() {
  const search = useListSearch();
  const rehearsals = usePages(listRehearsals, { query: search.query }, 15_000);
  const mayMake = useMay(makeRehearsal.who);
  const [making, setMaking] = useState(false);
  const fresh = mayMake && (
    <Button look="primary" onClick={() => setMaking(true)} icon="plus" label="Nuova prova" />
  );
  return (
    <>
      <PageTitle title="Prova generale">{fresh}</PageTitle>
      <Intro>
        Un evento finto per provare i telefoni prima di aprire le porte: un foglio di codici, uno
        per ogni parola che può comparire. Non si vede sul sito, non conta nelle vendite, non manda
        e-mail.
      </Intro>
      <ListSearchField search={search} label="Cerca per titolo" hint="Titolo della prova" />
      <PagedList pages={rehearsals}>
        {(rows) => {
          if (rows.length > 0) return <RehearsalTable rehearsals={rows} />;
          return search.q !== '' ? (
            <NothingFound search={search} title="Nessuna prova con queste parole." />
          ) : (
            <Empty icon="list" title="Nessuna prova, per ora.">
              <p>Bastano un telefono, una stampante e cinque minuti.</p>
            </Empty>
          );
        }}
      </PagedList>
      {making && <NewRehearsal onClose={() => setMaking(false)} />}
    </>
  );
}

function RehearsalTable({ rehearsals }: { rehearsals: ReplyOf<typeof listRehearsals>['items'] }) {
  return (
    <Table
      cards
      className={styles.rehearsals}
      columns={['Prova', 'Stato', 'Preparata', 'Telefoni']}
    >
      <tbody>
        {rehearsals.map((rehearsal) => (
          <tr key={rehearsal.event_id}>
            <th scope="row">
              <Link
                className={textStyles.strong}
                to={`/door/rehearsals/${encodeURIComponent(rehearsal.event_id)}`}
              >
                {rehearsal.title}
              </Link>
            </th>
            <td>
              {rehearsal.closed_at === null ? (
                <StateBadge tone="good" icon="check" word="Aperta" />
              ) : (
                <Badge icon="lock">Chiusa</Badge>
              )}
            </td>
            <td>
              <time dateTime={rehearsal.created_at}>{formatListDate(rehearsal.created_at)}</time>
            </td>
            <td>
              {rehearsal.phones.length === 0 ? (
                <SecondLine>nessuno</SecondLine>
              ) : (
                formatCount(rehearsal.phones.length, 'telefono', 'telefoni')
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function NewRehearsal({ onClose }: { onClose: () => void }) {
  const act = useAct();
  const navigate = useNavigate();
  const events = useAllPages(listEvents);
  const [event_id, setEvent] = useState<string | null>(null);

  const { busy, failure, submit } = useSubmit(async () => {
    const made = await act(makeRehearsal, {
      body: { event_id: (event_id ?? events.data?.items[0]?.id) || null },
    });
    await navigate(`/door/rehearsals/${encodeURIComponent(made.event_id)}`);
  });

  return (
    <Modal title="Nuova prova generale" onClose={onClose}>
      <Loaded query={events}>
        {({ items }) => (
          <form className={formStyles.stack} onSubmit={submit}>
            <Field
              label="Come quale evento"
              hint="Posti, categorie e varchi della prova saranno come i suoi."
            >
              <FieldSelect
                value={event_id ?? items[0]?.id ?? ''}
                onChange={(event) => setEvent(event.target.value)}
              >
                {items.map((event) => (
                  <option key={event.id} value={event.id}>
                    {event.title || 'Senza titolo'} · {formatShortDate(event.starts_at)}
                  </option>
                ))}
                <option value="">Nessuno: posti inventati</option>
              </FieldSelect>
            </Field>
            <FormActions
              busy={busy}
              failure={failure}
              onCancel={onClose}
              submitLabel={busy ? 'Preparazione…' : 'Prepara la prova'}
            />
          </form>
        )}
      </Loaded>
    </Modal>
  );
}
