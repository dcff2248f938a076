/** The dialog for a webhook address, new or existing; a new one's secret is shown once. */
import { useState } from 'react';
import { changeProgramAddress, makeProgramAddress } from '#server/contract/program/webhooks.ts';
import { webhookKinds, type WebhookKind } from '#server/domain/program/webhook.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { EventField } from './event-field.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { Ticks } from './ticks.tsx';
import { kindWords } from './words.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export interface KnownAddress {
  id: string;
  url: string;
  kinds: WebhookKind[];
  event: { id: string } | null;
}

interface AddressDialogProps {
  /** Null: a new address. */
  address: KnownAddress | null;
  onClose: () => void;
}

export function AddressDialog({ address, onClose }: AddressDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown secret={secret} onClose={onClose} />;
  return (
    <Modal title={address === null ? 'Nuovo indirizzo' : 'Indirizzo'} onClose={onClose}>
      <AddressForm
        address={address}
        onClose={onClose}
        onDone={(made) => (made === null ? onClose() : setSecret(made))}
      />
    </Modal>
  );
}

export function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownSecret title="Segreto per la firma" label="Segreto" secret={secret} onClose={onClose}>
      Con questo segreto il programma controlla che i messaggi siano nostri. Copialo adesso: dopo la
      chiusura non si vede più.
    </ShownSecret>
  );
}

interface AddressFormProps extends AddressDialogProps {
  /** Gets the secret of a new address; null: the address already had one. */
  onDone: (secret: string | null) => void;
}

function AddressForm({ address, onClose, onDone }: AddressFormProps) {
  const change = useChange();
  const [url, setUrl] = useState(address?.url ?? '');
  const [kinds, setKinds] = useState<WebhookKind[]>(address?.kinds ?? ['order.confirmed']);
  const [event_id, setEvent] = useState(address?.event?.id ?? null);
  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    if (kinds.length === 0) return setFailure('Scegli almeno un avvenimento.');
    const body = { url: url.trim(), kinds, event_id };
    if (address === null) return onDone((await change(makeProgramAddress, { body })).secret);
    await change(changeProgramAddress, { params: { addressId: address.id }, body });
    onDone(null);
  });
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <TextField
        label="Indirizzo"
        type="url"
        value={url}
        onChange={setUrl}
        maxLength={500}
        hint="Comincia con https://"
        data-autofocus
        required
      />
      <Ticks
        legend="Che cosa vuole sapere"
        value={kinds}
        onChange={setKinds}
        options={webhookKinds.map((kind) => [kind, kindWords[kind], kind])}
      />
      <EventField value={event_id} onChange={setEvent} />
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onClose}
        disabled={url.trim() === ''}
        submitLabel={busy ? 'Salvataggio…' : address === null ? 'Aggiungi l’indirizzo' : 'Salva'}
      />
    </form>
  );
}
