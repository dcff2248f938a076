/** The dialog for admitting somebody against the rule: a written reason is required. */
import type { Verdict } from '#server/domain/admission.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';

export interface OverrideDialogProps {
  verdict: Verdict;
  seat: string;
  onConfirm: (reason: string) => Promise<unknown>;
  onCancel: () => void;
}

export function OverrideDialog({ verdict, seat, onConfirm, onCancel }: OverrideDialogProps) {
  return (
    <ReasonDialog
      title="Fare entrare lo stesso?"
      hint="Per esempio: «uscito per il bagno», «documento controllato»."
      confirmLabel="Fai entrare"
      onConfirm={onConfirm}
      onCancel={onCancel}
      text={
        <>
          {seat}: la porta direbbe <b>{verdictWords[verdict].big}</b>. L’ingresso resta registrato
          con il tuo nome e con questo motivo.
        </>
      }
    />
  );
}
