/** Users and roles: who may log in, what each may do, and open invitations. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listPeople, withdrawInvite } from '#server/contract/people.ts';
import { roleNames } from '#server/domain/user/user.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useUser } from '#apps/admin/kit/session/session.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PersonDialog, type Person } from './person-dialog.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './people.module.css';

type People = ReplyOf<typeof listPeople>;
type Invite = People['invites'][number];

export function PeopleScreen() {
  const people = useEndpoint(listPeople, {}, { refetchInterval: 30_000 });
  const [inviting, setInviting] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const person = people.data?.items.find(({ id }) => id === chosen);
  return (
    <>
      <PageTitle title="Persone e ruoli">
        <Button look="primary" icon="plus" label="Invita" onClick={() => setInviting(true)} />
      </PageTitle>
      <Loaded query={people}>
        {({ items, invites }) => (
          <>
            <PeopleTable people={items} onChoose={setChosen} />
            {invites.length > 0 && <Invites invites={invites} />}
          </>
        )}
      </Loaded>
      {inviting && people.data && (
        <InviteDialog mailLeaves={people.data.mail_leaves} onClose={() => setInviting(false)} />
      )}
      {person && <PersonDialog person={person} onClose={() => setChosen(null)} />}
    </>
  );
}

interface PeopleTableProps {
  people: readonly Person[];
  onChoose: (id: string) => void;
}

function PeopleTable({ people, onChoose }: PeopleTableProps) {
  const me = useUser();
  return (
    <Table cards className={styles.people} columns={['Persona', 'Ruolo', 'Ultimo uso']}>
      <tbody>
        {people.map((person) => (
          <tr key={person.id} className={person.suspended ? tableStyles.gone : undefined}>
            <th scope="row">
              <button
                type="button"
                className={`${textStyles.link} ${textStyles.strong}`}
                data-row
                onClick={() => onChoose(person.id)}
              >
                <span className="visually-hidden">Modifica </span>
                {person.name}
                {person.id === me.id && ' (tu)'}
              </button>
              <SecondLine>{person.email}</SecondLine>
            </th>
            <td>
              {roleNames[person.role]}{' '}
              {person.factor && (
                <Badge tone="good" icon="lock">
                  Secondo fattore
                </Badge>
              )}{' '}
              {person.suspended && (
                <Badge tone="warn" icon="lock">
                  Sospeso
                </Badge>
              )}
            </td>
            <td>
              <span className={tableStyles.label}>Ultimo uso: </span>
              {person.last_seen_at === null ? 'mai' : formatListDate(person.last_seen_at)}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Invites({ invites }: { invites: readonly Invite[] }) {
  const change = useChange();
  return (
    <Panel className={styles.invites} aria-labelledby="invites-title">
      <h2 id="invites-title">Inviti in attesa</h2>
      <ul className={styles.list}>
        {invites.map(({ id, role, email, expires_at }) => (
          <li key={id}>
            <span>
              {email ?? 'Con un link'}: {roleNames[role]}
              <SecondLine>Vale fino a {formatListDate(expires_at)}</SecondLine>
            </span>
            <AskButton
              label="Ritira…"
              title="Ritirare l’invito?"
              danger
              text={<p>Il link smette di funzionare subito. Potrai mandarne un altro.</p>}
              confirmLabel="Ritira l’invito"
              onConfirm={() => change(withdrawInvite, { params: { inviteId: id } })}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
