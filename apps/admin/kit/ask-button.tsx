/** A button that asks before it acts. */
import { useState, type ReactNode } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from '#apps/shared/ui/confirm-dialog.tsx';
import { Button } from './button.tsx';

interface AskButtonProps extends Omit<ConfirmDialogProps, 'onCancel' | 'disabled'> {
  label: ReactNode;
  small?: boolean;
  disabled?: boolean;
  onConfirm: () => Promise<unknown>;
}

export function AskButton({
  label,
  small = true,
  disabled,
  onConfirm,
  ...question
}: AskButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        small={small}
        look={question.danger ? 'danger' : undefined}
        disabled={disabled}
        label={label}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <ConfirmDialog
          {...question}
          onCancel={() => setAsking(false)}
          onConfirm={async () => {
            await onConfirm();
            setAsking(false);
          }}
        />
      )}
    </>
  );
}
