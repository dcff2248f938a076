/** The dialog that invites a user with a role, by mail or with a link that is shown once. */
import { useState } from 'react';
import { invitePerson } from '#server/contract/people.ts';
import { roles, type Role } from '#server/domain/user/user.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { MailField } from '#apps/admin/kit/form/mail-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { ShownLink } from './shown-link.tsx';
import { roleOption } from './words.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface InviteDialogProps {
  /** False if no mail server is set up. */
  mailLeaves: boolean;
  onClose: () => void;
}

type Done = { url: string | null; email: string };

export function InviteDialog({ mailLeaves, onClose }: InviteDialogProps) {
  const [done, setDone] = useState<Done | null>(null);
  if (done === null)
    return (
      <Modal title="Invita una persona" onClose={onClose}>
        <InviteForm mailLeaves={mailLeaves} onClose={onClose} onDone={setDone} />
      </Modal>
    );
  return (
    <Modal
      title="Invito pronto"
      onClose={onClose}
      actions={<Button look="primary" onClick={onClose} label="Chiudi" />}
    >
      {done.url === null ? (
        <Notice as="output" tone="good" aria-label="Stato">
          Il messaggio per {done.email} è in partenza. Il link vale 72 ore.
        </Notice>
      ) : (
        <ShownLink url={done.url} label="Link di invito">
          Manda questo link a chi vuoi invitare: vale una volta sola, per 72 ore. Dopo la chiusura
          non si vede più.
        </ShownLink>
      )}
    </Modal>
  );
}

interface InviteFormProps extends InviteDialogProps {
  onDone: (done: Done) => void;
}

function InviteForm({ mailLeaves, onClose, onDone }: InviteFormProps) {
  const change = useChange();
  const [role, setRole] = useState<Role>('office');
  const [way, setWay] = useState<'mail' | 'link'>(mailLeaves ? 'mail' : 'link');
  const [email, setEmail] = useState('');
  const { busy, failure, submit } = useSubmit(async () => {
    const to = way === 'mail' ? email : null;
    const { url } = await change(invitePerson, { body: { role, email: to } });
    onDone({ url, email });
  });
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <Radios legend="Ruolo" value={role} onChange={setRole} options={roles.map(roleOption)} />
      <Radios
        legend="Come"
        value={way}
        onChange={setWay}
        options={[
          [
            'mail',
            'Per e-mail',
            mailLeaves ? undefined : 'La posta non è configurata: il messaggio non partirebbe.',
          ],
          ['link', 'Con un link', 'Lo mandi tu, per esempio in chat.'],
        ]}
      />
      {way === 'mail' && <MailField label="E-mail" value={email} onChange={setEmail} required />}
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onClose}
        disabled={way === 'mail' && !mailLeaves}
        submitLabel={busy ? 'Creazione in corso…' : 'Crea l’invito'}
      />
    </form>
  );
}
