/** The dialog that takes a scan back: says what stays recorded and what changes. */
import { formatTimeWithSeconds } from '#apps/shared/format.ts';
import type { AdmissionRow } from './admission-table.tsx';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';

export interface UndoDialogProps {
  row: AdmissionRow;
  seat: string;
  onConfirm: (reason: string) => Promise<unknown>;
  onCancel: () => void;
}

export function UndoDialog({ row, seat, onConfirm, onCancel }: UndoDialogProps) {
  const what = row.direction === 'in' ? 'L’ingresso' : 'L’uscita';
  return (
    <ReasonDialog
      title={row.direction === 'in' ? 'Annullare questo ingresso?' : 'Annullare questa uscita?'}
      hint="Per esempio: «letto per sbaglio», «non è entrato»."
      confirmLabel="Annulla la lettura"
      onConfirm={onConfirm}
      onCancel={onCancel}
      text={
        <>
          {seat}: {what.toLowerCase()} delle {formatTimeWithSeconds(row.corrected_at)} (
          {row.gate ?? 'ufficio'}, {row.by}) non conterà più, e i telefoni lo sapranno alla prossima
          connessione. La lettura resta nell’elenco, con il tuo nome e con questo motivo.
        </>
      }
    />
  );
}
