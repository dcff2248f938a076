/** Dialogs for the codes of a price rule: one code, many personal codes, a change of limits. */
import { useState, type ReactNode } from 'react';
import { addRuleCode, changeRuleCode, makeRuleCodes } from '#server/contract/price-codes.ts';
import { longestHolder, mostCodesAtOnce, type CodeLimits } from '#server/domain/price/code.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Field, FieldTextarea } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import {
  draftOfLimits,
  limitFault,
  limitsOfDraft,
  noLimits,
  type LimitsDraft,
  type RuleCode,
} from './code-words.ts';
import { readCount } from './draft.ts';
import styles from './rules.module.css';

interface FrameProps {
  title: string;
  submitLabel: string;
  start?: LimitsDraft;
  /** What is wrong with the fields above the limits; null: nothing. */
  fault: string | null;
  children: ReactNode;
  onSend: (limits: CodeLimits) => Promise<unknown>;
  onClose: () => void;
}

function CodeDialog({ start = noLimits, fault, onSend, onClose, ...frame }: FrameProps) {
  const [draft, setDraft] = useState(start);
  const limits = limitsOfDraft(draft);
  const form = useSubmit(async () => {
    if (limits === null) return;
    await onSend(limits);
    onClose();
  });
  const wrong = fault ?? (limits === null ? limitFault : null);
  return (
    <Modal title={frame.title} onClose={onClose}>
      <form className={formStyles.stack} onSubmit={form.submit}>
        {frame.children}
        <LimitFields draft={draft} onChange={setDraft} />
        {wrong !== null && <p role="status">{wrong}</p>}
        <FormActions
          busy={form.busy}
          failure={form.failure}
          onCancel={onClose}
          submitLabel={frame.submitLabel}
          disabled={wrong !== null}
        />
      </form>
    </Modal>
  );
}

const limitFields: readonly (readonly [keyof LimitsDraft, string])[] = [
  ['most_orders', 'Acquisti in tutto'],
  ['most_tickets', 'Biglietti in tutto'],
  ['most_orders_a_day', 'Acquisti al giorno'],
  ['most_orders_an_address', 'Acquisti per indirizzo'],
];

function LimitFields({
  draft,
  onChange,
}: {
  draft: LimitsDraft;
  onChange: (draft: LimitsDraft) => void;
}) {
  return (
    <fieldset className={styles.picks}>
      <legend className="ui-field-label">Quanto vale ciascun codice (facoltativo)</legend>
      <p className="ui-field-hint">
        Vuoto: senza limite. Con un limite per indirizzo chi compra scrive la sua e-mail accanto al
        codice.
      </p>
      <div className={styles.beside}>
        {limitFields.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            inputMode="numeric"
            maxLength={6}
            value={draft[name]}
            onChange={(text) => onChange({ ...draft, [name]: text })}
          />
        ))}
      </div>
    </fieldset>
  );
}

function HolderField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label="Per chi è (facoltativo)"
      maxLength={longestHolder}
      value={value}
      onChange={onChange}
    />
  );
}

interface DialogProps {
  ruleId: string;
  onClose: () => void;
}

export function AddCode({ ruleId, onClose }: DialogProps) {
  const change = useChange();
  const [spelling, setSpelling] = useState('');
  const [holder, setHolder] = useState('');
  const isCode = spellCode(spelling) !== null;
  return (
    <CodeDialog
      title="Aggiungi un codice"
      submitLabel="Aggiungi il codice"
      fault={isCode ? null : 'Un codice ha da 5 a 30 lettere e cifre.'}
      onSend={(limits) => {
        const body = { spelling, holder: holder.trim() || null, ...limits };
        return change(addRuleCode, { params: { ruleId }, body });
      }}
      onClose={onClose}
    >
      <TextField
        label="Codice"
        hint="Maiuscole, spazi e trattini non contano. Per esempio: GIOVANI26."
        required
        data-autofocus
        maxLength={60}
        value={spelling}
        onChange={setSpelling}
      />
      <HolderField value={holder} onChange={setHolder} />
    </CodeDialog>
  );
}

export function ChangeCode({ code, onClose }: { code: RuleCode; onClose: () => void }) {
  const change = useChange();
  const [holder, setHolder] = useState(code.holder ?? '');
  return (
    <CodeDialog
      title={`Cambia il codice ${code.spelling}`}
      submitLabel="Salva il codice"
      start={draftOfLimits(code)}
      fault={null}
      onSend={(limits) => {
        const body = { holder: holder.trim() || null, ...limits };
        return change(changeRuleCode, { params: { codeId: code.code_id }, body });
      }}
      onClose={onClose}
    >
      <HolderField value={holder} onChange={setHolder} />
    </CodeDialog>
  );
}

export function MakeCodes({ ruleId, onClose }: DialogProps) {
  const change = useChange();
  const [by, setBy] = useState<'names' | 'count'>('names');
  const [names, setNames] = useState('');
  const [typed, setTyped] = useState('10');
  const holders = names
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const count = by === 'names' ? holders.length : readCount(typed);
  return (
    <CodeDialog
      title="Fai codici personali"
      submitLabel={count > 0 ? `Fai ${formatCount(count, 'codice', 'codici')}` : 'Fai i codici'}
      start={{ ...noLimits, most_orders: '1' }}
      fault={faultOf(by, { count, holders })}
      onSend={(limits) => {
        const who = by === 'names' ? { holders, count: null } : { holders: null, count };
        return change(makeRuleCodes, { params: { ruleId }, body: { ...who, ...limits } });
      }}
      onClose={onClose}
    >
      <Segments
        legend="Per chi"
        value={by}
        options={[
          ['names', 'Per queste persone'],
          ['count', 'Senza nome'],
        ]}
        onChange={setBy}
      />
      {by === 'names' ? (
        <Field label="Nomi, uno per riga" hint="Incollali da un elenco: un codice per ciascuno.">
          <FieldTextarea
            rows={6}
            value={names}
            onChange={(event) => setNames(event.target.value)}
          />
        </Field>
      ) : (
        <TextField
          label="Quanti codici"
          inputMode="numeric"
          maxLength={4}
          value={typed}
          onChange={setTyped}
        />
      )}
    </CodeDialog>
  );
}

function faultOf(
  by: 'names' | 'count',
  { count, holders }: { count: number; holders: readonly string[] },
): string | null {
  const most = mostCodesAtOnce.toLocaleString('it-IT');
  if (holders.some((name) => name.length > longestHolder))
    return `Un nome ha al massimo ${longestHolder} caratteri.`;
  if (count >= 1 && count <= mostCodesAtOnce) return null;
  return by === 'names' && count === 0
    ? 'Scrivi almeno un nome.'
    : `Da 1 a ${most} codici alla volta.`;
}
