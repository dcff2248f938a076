/** Asks what a price rule says; its sentence is shown while it is typed. */
import { useEffect, useRef, useState } from 'react';
import { longestRuleName, ruleFaultWords, ruleFaults } from '#server/domain/price/rule-check.ts';
import { ruleSentence } from '#server/domain/price/rule-words.ts';
import { ruleOfTyped, type TypedRule } from '#server/domain/price/typed-rule.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { ruleDraftOf, firstDraft, typedOfDraft, type RuleDraft, type RuleKind } from './draft.ts';
import { KindFields, ScopeFields, TogetherFields } from './fields.tsx';
import type { RulesDesk } from './owner.ts';
import { soldWords } from './words.ts';
import styles from './rules.module.css';

const kinds: readonly (readonly [RuleKind, string, string])[] = [
  ['every', 'Ogni tanti biglietti', 'Ogni 3 Interi, 1 gratis.'],
  ['package', 'Pacchetto', '2 Interi + 2 Ragazzi a 60,00 € insieme.'],
  ['group', 'Gruppo', 'Da 20 posti, 10 % in meno; un accompagnatore gratis ogni 15 paganti.'],
  ['code', 'Codice', '10 % in meno a chi scrive un codice, o ne apre il link.'],
  ['convention', 'Convenzione', 'Soci FAI: 3,00 € in meno, mostrando la tessera.'],
];

const nameHints: Record<RuleKind, string> = {
  every: 'Lo legge anche chi compra: «3x2».',
  package: 'Lo legge anche chi compra: «Famiglia».',
  group: 'Lo legge anche chi compra: «Scuole».',
  code: 'Lo legge anche chi compra: «Giovani». I codici si fanno dopo, dall’elenco delle regole.',
  convention: 'Lo legge anche chi compra, e dice quale tessera si mostra: «Soci FAI».',
};

interface RuleDialogProps {
  /** The rule to change; missing: a new one. */
  start?: TypedRule;
  desk: RulesDesk;
  onSave: (typed: TypedRule) => Promise<unknown>;
  onClose: () => void;
}

export function RuleDialog({ start, desk, onSave, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState<RuleDraft>(() => (start ? ruleDraftOf(start) : firstDraft));
  const typed = typedOfDraft(draft);
  const [fault] = ruleFaults(typed);
  const form = useSubmit(async () => {
    await onSave(typed);
    onClose();
  });
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const fields = {
    draft,
    desk,
    set: (part: Partial<RuleDraft>) => setDraft({ ...draft, ...part }),
  };
  return (
    <Modal title={start ? 'Cambia la regola' : 'Aggiungi una regola'} onClose={onClose}>
      <form className={`${formStyles.stack} ${styles.form}`} onSubmit={form.submit}>
        {start === undefined && (
          <Radios
            legend="Che regola è"
            value={draft.kind}
            options={kinds}
            onChange={(kind) => fields.set({ kind })}
          />
        )}
        <TextField
          ref={first}
          label="Nome"
          hint={nameHints[draft.kind]}
          required
          maxLength={longestRuleName}
          value={draft.name}
          onChange={(name) => fields.set({ name })}
        />
        <KindFields {...fields} />
        <ScopeFields {...fields} />
        <TogetherFields {...fields} />
        <output className={styles.preview} aria-label="La regola in parole">
          {fault === undefined ? (
            <b>{ruleSentence(ruleOfTyped(typed, ''), labelsOf(desk))}</b>
          ) : (
            ruleFaultWords[fault]
          )}
        </output>
        <p>{soldWords(desk.sold)}</p>
        <FormActions
          busy={form.busy}
          failure={form.failure}
          onCancel={onClose}
          submitLabel={start ? 'Salva la regola' : 'Aggiungi la regola'}
          disabled={fault !== undefined}
        />
      </form>
    </Modal>
  );
}

function labelsOf({ ticket_types }: RulesDesk): Map<string, string> {
  return new Map(ticket_types.map(({ ticketType, label }) => [ticketType, label]));
}
