/** What a change of rules does to sold tickets, and whether their buyers are asked for names. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { previewEvent } from '#server/contract/event-desk.ts';
import { formatCount } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { instantOf, noTime } from '#apps/admin/kit/form/wall-time.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TimeField } from './time-field.tsx';

export type MetTickets = ReplyOf<typeof previewEvent>;

export function isMet({ met, unnamed }: MetTickets): boolean {
  return met.length > 0 || unnamed > 0;
}

/** The choice about tickets without a name; `ask_names_by` is for the call that saves. */
export function useAskNames() {
  const [way, setWay] = useState<'ask' | 'leave'>('leave');
  const [until, setUntil] = useState(noTime);
  const due = instantOf(until);
  return {
    way,
    setWay,
    until,
    setUntil,
    /** A day is still to be written. */ missing: way === 'ask' && due === null,
    body: way === 'ask' && due !== null ? { ask_names_by: new Date(due).toISOString() } : {},
  };
}

export function MetList({ seen, ask }: { seen: MetTickets; ask: ReturnType<typeof useAskNames> }) {
  if (!isMet(seen)) return null;
  return (
    <>
      {seen.met.length > 0 && (
        <Notice as="div">
          <ul>
            {seen.met.map(({ sentence }) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      {seen.unnamed > 0 && <AskNames unnamed={seen.unnamed} ask={ask} />}
    </>
  );
}

function AskNames({ unnamed, ask }: { unnamed: number; ask: ReturnType<typeof useAskNames> }) {
  return (
    <>
      <Radios
        legend={`${formatCount(unnamed, 'biglietto venduto è', 'biglietti venduti sono')} senza nome`}
        value={ask.way}
        onChange={ask.setWay}
        options={[
          ['leave', 'Lascia i venduti senza nome'],
          [
            'ask',
            'Chiedi i nomi per e-mail',
            'Chi ha comprato riceve un’e-mail e un promemoria. Anche dopo il termine i biglietti restano validi.',
          ],
        ]}
      />
      {ask.way === 'ask' && (
        <TimeField label="Entro il" value={ask.until} onChange={ask.setUntil} />
      )}
    </>
  );
}

interface MetQuestionProps {
  seen: MetTickets;
  onSave: (more: { ask_names_by?: string }) => Promise<void>;
  onClose: () => void;
}

/** Shows before saving which sold tickets the new rules meet. */
export function MetQuestion({ seen, onSave, onClose }: MetQuestionProps) {
  const ask = useAskNames();
  return (
    <ConfirmDialog
      title="Ci sono biglietti già venduti"
      confirmLabel="Salva le regole nuove"
      cancelLabel="Torna al modulo"
      disabled={ask.missing}
      onConfirm={() => onSave(ask.body)}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <p>Le regole nuove valgono per chi compra da adesso. Per i biglietti già venduti:</p>
          <MetList seen={seen} ask={ask} />
        </div>
      }
    />
  );
}
