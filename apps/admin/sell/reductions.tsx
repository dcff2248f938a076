/** A convention by its name, and codes, for the buyer at the till. */
import { useState } from 'react';
import { openTillCode } from '#server/contract/counter.ts';
import { mostCodesAnOrder } from '#server/domain/price/code.ts';
import { lessWords, reasonWords } from '#server/domain/price/rule-words.ts';
import { ruleOfSale } from '#server/domain/price/sale-rule.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import type { Till } from './basket.ts';
import { withTillCode, type Reductions, type TillCode } from './reductions.ts';
import styles from './till.module.css';

interface ReductionsProps {
  till: Till;
  reductions: Reductions;
  onChange: (reductions: Reductions) => void;
}

export function SaleReductions({ till, reductions, onChange }: ReductionsProps) {
  const [isOpen, setOpen] = useState(false);
  const { codes, convention } = reductions;
  const names = [...codes.map(({ code }) => code), ...(convention ? [convention.name] : [])];
  // Folded fields are not on the page, so screen readers skip them too.
  return (
    <details
      className={styles.buyer}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Codice o convenzione
        {names.length > 0 && <strong> {names.join(', ')}</strong>}
      </summary>
      {isOpen && (
        <>
          {till.conventions.length > 0 && (
            <Field label="Convenzione">
              <FieldSelect
                value={convention?.id ?? ''}
                onChange={({ target }) => {
                  const chosen = till.conventions.find(({ id }) => id === target.value) ?? null;
                  onChange({ ...reductions, convention: chosen });
                }}
              >
                <option value="">Nessuna</option>
                {till.conventions.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name} · {lessWords(one)}
                  </option>
                ))}
              </FieldSelect>
            </Field>
          )}
          <OpenedCodes
            codes={codes}
            onClose={(gone) =>
              onChange({ ...reductions, codes: codes.filter((one) => one !== gone) })
            }
          />
          {codes.length < mostCodesAnOrder && (
            <CodeLine
              eventId={till.event.id}
              onOpen={(code) => onChange(withTillCode(reductions, code))}
            />
          )}
        </>
      )}
    </details>
  );
}

function OpenedCodes({
  codes,
  onClose,
}: {
  codes: readonly TillCode[];
  onClose: (code: TillCode) => void;
}) {
  return codes.map((one) => (
    <p key={one.code} className={styles.code}>
      <span>
        <strong>{one.code}</strong> · {reasonWords(ruleOfSale(one.rule), 1)}
        {one.needs_address && ' · serve l’e-mail del cliente'}
      </span>
      <Button
        small
        look="quiet"
        label="Togli"
        aria-label={`Togli il codice ${one.code}`}
        onClick={() => onClose(one)}
      />
    </p>
  ));
}

function CodeLine({ eventId, onOpen }: { eventId: string; onOpen: (code: TillCode) => void }) {
  const act = useAct();
  const [text, setText] = useState('');
  const form = useSubmit(async () => {
    const code = text.trim();
    const found = await act(openTillCode, { params: { eventId }, body: { code } });
    onOpen({ code, ...found });
    setText('');
  });
  return (
    <form className={styles.codeLine} aria-label="Codice del cliente" onSubmit={form.submit}>
      <TextField
        label="Codice"
        value={text}
        maxLength={60}
        error={form.failure}
        onChange={setText}
      />
      <Button type="submit" busy={form.busy} disabled={text.trim() === ''} label="Usa" />
    </form>
  );
}
