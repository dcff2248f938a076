/** The dialog of the desk that counts people without a ticket. */
import { useState } from 'react';
import type { countHeads } from '#server/contract/door/heads.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import type { Direction } from '#server/domain/door/admission.ts';
import { headReasonNames, headReasons, mostHeads } from '#server/domain/door/heads.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { newKey } from '#apps/admin/kit/new-key.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export type HeadCount = Asked<typeof countHeads>['body'];

interface CountHeadsProps {
  direction: Direction;
  onCancel: () => void;
  onCount: (count: HeadCount) => Promise<void>;
}

export function CountHeads({ direction, onCancel, onCount }: CountHeadsProps) {
  // The same id after a lost answer, so that nobody is counted twice.
  const [head_id] = useState(newKey);
  const [people, setPeople] = useState('1');
  const [reason, setReason] = useState<HeadCount['reason']>('artists');
  const [words, setWords] = useState('');
  const many = Number(people);
  const isReady = Number.isInteger(many) && many >= 1 && many <= mostHeads;
  const needsWords = reason === 'other' && words.trim() === '';
  const { busy, failure, submit } = useSubmit(async () => {
    if (isReady && !needsWords)
      await onCount({ head_id, direction, people: many, reason, words: words.trim() || null });
  });
  return (
    <Modal
      title={direction === 'in' ? 'Chi entra senza biglietto?' : 'Chi esce senza biglietto?'}
      onClose={onCancel}
    >
      <form className={formStyles.stack} onSubmit={submit}>
        <Field
          label="Quante persone"
          type="number"
          inputMode="numeric"
          min={1}
          max={mostHeads}
          value={people}
          onChange={(event) => setPeople(event.target.value)}
          required
        />
        <Field label="Motivo">
          <FieldSelect
            value={reason}
            onChange={(event) => setReason(event.target.value as HeadCount['reason'])}
          >
            {headReasons.map((one) => (
              <option key={one} value={one}>
                {headReasonNames[one]}
              </option>
            ))}
          </FieldSelect>
        </Field>
        <TextField
          label={reason === 'other' ? 'Chi sono' : 'Chi sono (facoltativo)'}
          value={words}
          onChange={setWords}
          maxLength={100}
        />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onCancel}
          submitLabel={direction === 'in' ? 'Fai entrare' : 'Fai uscire'}
          disabled={!isReady || needsWords}
        />
      </form>
    </Modal>
  );
}
