/** The end of a form in a dialog: its failure, a cancel button, and a submit button. */
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';

interface FormActionsProps {
  busy: boolean;
  failure?: string | null;
  cancelLabel?: string;
  /** Missing: no cancel button. */
  onCancel?: () => void;
  /** Null: no submit button. */
  submitLabel: string | null;
  disabled?: boolean;
  danger?: boolean;
  /** The submit button gets the focus when the dialog opens. */
  isFirst?: boolean;
}

export function FormActions({
  busy,
  failure = null,
  cancelLabel = 'Torna indietro',
  onCancel,
  submitLabel,
  disabled = false,
  danger = false,
  isFirst,
}: FormActionsProps) {
  return (
    <>
      <FailureNotice text={failure} />
      <div className="ui-modal-actions">
        {onCancel !== undefined && <Button onClick={onCancel} label={cancelLabel} />}
        {submitLabel !== null && (
          <Button
            type="submit"
            look={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={disabled}
            label={submitLabel}
            data-autofocus={isFirst || undefined}
          />
        )}
      </div>
    </>
  );
}
