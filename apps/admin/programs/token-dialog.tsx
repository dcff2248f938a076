/** The dialog that makes a key for another program and shows it once. */
import { useState } from 'react';
import { makeProgramToken } from '#server/contract/program/tokens.ts';
import { programScopes, type ProgramScope } from '#server/domain/program/token.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { EventField } from './event-field.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { Ticks } from './ticks.tsx';
import { scopeWords } from './words.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

type Life = '30' | '365' | 'ever';

export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string | null>(null);
  if (token !== null)
    return (
      <ShownSecret title="Chiave pronta" label="Chiave" secret={token} onClose={onClose}>
        Copiala adesso nel programma che la usa: dopo la chiusura non si vede più.
      </ShownSecret>
    );
  return (
    <Modal title="Nuova chiave" onClose={onClose}>
      <TokenForm onClose={onClose} onDone={setToken} />
    </Modal>
  );
}

interface TokenFormProps {
  onClose: () => void;
  onDone: (token: string) => void;
}

function TokenForm({ onClose, onDone }: TokenFormProps) {
  const change = useChange();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ProgramScope[]>(['events']);
  const [event_id, setEvent] = useState<string | null>(null);
  const [life, setLife] = useState<Life>('365');
  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    if (scopes.length === 0) return setFailure('Scegli almeno un tipo di dati.');
    const body = { name: name.trim(), scopes, event_id, expires_at: endOf(life) };
    onDone((await change(makeProgramToken, { body })).token);
  });
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <TextField
        label="Nome"
        value={name}
        onChange={setName}
        maxLength={80}
        hint="Chi la usa, per esempio: sito della compagnia."
        data-autofocus
        required
      />
      <Ticks
        legend="Che cosa può leggere"
        value={scopes}
        onChange={setScopes}
        options={programScopes.map((scope) => [
          scope,
          scopeWords[scope].word,
          scopeWords[scope].hint,
        ])}
      />
      <EventField value={event_id} onChange={setEvent} />
      <Radios
        legend="Scadenza"
        value={life}
        onChange={setLife}
        options={[
          ['30', 'Tra 30 giorni'],
          ['365', 'Tra un anno'],
          ['ever', 'Mai', 'Vale finché qualcuno la revoca.'],
        ]}
      />
      <FormActions
        busy={busy}
        failure={failure}
        onCancel={onClose}
        disabled={name.trim() === ''}
        submitLabel={busy ? 'Creazione in corso…' : 'Crea la chiave'}
      />
    </form>
  );
}

function endOf(life: Life): string | null {
  if (life === 'ever') return null;
  return new Date(Date.now() + Number(life) * 86_400_000).toISOString();
}
