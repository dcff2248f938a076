/** A button that deletes after a question; a refusal is shown beside it. */
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { AskButton } from './ask-button.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';

interface DeleteButtonProps {
  /** The label of this button and of the confirming one, as in "Elimina la bozza". */
  label: string;
  keepLabel: string;
  title: string;
  text: ReactNode;
  onDelete: () => Promise<unknown>;
  /** The screen to show afterwards. */
  leaveTo: string;
}

export function DeleteButton({
  label,
  keepLabel,
  onDelete,
  leaveTo,
  ...question
}: DeleteButtonProps) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);

  async function remove() {
    try {
      await onDelete();
    } catch (error) {
      setFailure(tellFailure(error));
      return;
    }
    await navigate(leaveTo);
  }

  return (
    <>
      <FailureNotice text={failure} />
      <AskButton
        {...question}
        label={`${label}…`}
        danger
        confirmLabel={label}
        cancelLabel={keepLabel}
        onConfirm={remove}
      />
    </>
  );
}
