/** The dialog about one user: change the role, reset the password, suspend, readmit, remove. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import {
  changeRole,
  type listPeople,
  makeResetLink,
  removePerson,
  resetFactors,
  restorePerson,
  suspendPerson,
} from '#server/contract/people.ts';
import { roles, type Role } from '#server/domain/user/user.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { ShownLink } from './shown-link.tsx';
import { roleOption } from './words.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

export type Person = ReplyOf<typeof listPeople>['items'][number];

interface PersonDialogProps {
  person: Person;
  onClose: () => void;
}

export function PersonDialog({ person, onClose }: PersonDialogProps) {
  return (
    <Modal title={person.name} onClose={onClose}>
      <div className={formStyles.stack}>
        <p className={textStyles.soft}>{person.email}</p>
        <RoleForm person={person} onClose={onClose} />
        <ResetLink person={person} />
        <Shutting person={person} onClose={onClose} />
      </div>
    </Modal>
  );
}

function RoleForm({ person, onClose }: PersonDialogProps) {
  const change = useChange();
  const [role, setRole] = useState<Role>(person.role);
  const { busy, failure, submit } = useSubmit(async () => {
    await change(changeRole, { params: { userId: person.id }, body: { role } });
    onClose();
  });
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <Radios legend="Ruolo" value={role} onChange={setRole} options={roles.map(roleOption)} />
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onClose}
        disabled={role === person.role}
        submitLabel={busy ? 'Salvataggio…' : 'Salva il ruolo'}
      />
    </form>
  );
}

function ResetLink({ person }: { person: Person }) {
  const act = useAct();
  const [url, setUrl] = useState<string | null>(null);
  if (url !== null)
    return (
      <ShownLink url={url} label="Link per la nuova password">
        Consegna questo link a {person.name}: vale un’ora, una volta sola.
      </ShownLink>
    );
  return (
    <AsyncButton
      className={buttonStyles.small}
      onClick={async () =>
        setUrl((await act(makeResetLink, { params: { userId: person.id } })).url)
      }
    >
      Link per una nuova password
    </AsyncButton>
  );
}

function Shutting({ person, onClose }: PersonDialogProps) {
  const change = useChange();
  const params = { userId: person.id };
  return (
    <div className={buttonStyles.actions}>
      {person.factor && (
        <AskButton
          label="Togli il secondo fattore…"
          title={`Togliere il secondo fattore a ${person.name}?`}
          danger
          text={
            <p>Se ha perso il telefono: poi entra con la sola password e ne aggiunge un altro.</p>
          }
          confirmLabel="Togli il secondo fattore"
          onConfirm={() => change(resetFactors, { params })}
        />
      )}
      {person.suspended ? (
        <AsyncButton
          className={buttonStyles.small}
          onClick={() => change(restorePerson, { params })}
        >
          Riattiva
        </AsyncButton>
      ) : (
        <AskButton
          label="Sospendi…"
          title={`Sospendere ${person.name}?`}
          danger
          text={
            <p>Esce subito da ogni dispositivo e non può più entrare finché non lo riattivi.</p>
          }
          confirmLabel="Sospendi"
          onConfirm={() => change(suspendPerson, { params })}
        />
      )}
      <AskButton
        label="Rimuovi…"
        title={`Rimuovere ${person.name}?`}
        danger
        text={
          <p>
            Non si può annullare: per tornare serve un nuovo invito. Nel registro il nome resta
            accanto a quello che ha fatto.
          </p>
        }
        confirmLabel="Rimuovi"
        onConfirm={async () => {
          await change(removePerson, { params });
          onClose();
        }}
      />
    </div>
  );
}
