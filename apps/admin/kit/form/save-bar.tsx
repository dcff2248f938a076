/** The bar that saves or discards a long form, always at the lower edge. */
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import styles from './save-bar.module.css';

interface SaveBarProps {
  dirty: boolean;
  /** Shown while there are no changes. */
  note: string;
  saveLabel: string;
  /** Null: it can no longer be saved. */
  onSave: (() => Promise<void>) | null;
  /** Null: there is nothing to discard. */
  onDiscard: (() => void) | null;
}

export function SaveBar({ dirty, note, saveLabel, onSave, onDiscard }: SaveBarProps) {
  return (
    <div className={styles.bar}>
      <p className={styles.state} aria-live="polite">
        {dirty && onSave !== null ? 'Modifiche non salvate' : note}
      </p>
      {dirty && onDiscard !== null && <Button look="quiet" onClick={onDiscard} label="Scarta" />}
      {onSave !== null && (
        <AsyncButton variant="primary" disabled={!dirty} onClick={onSave}>
          {saveLabel}
        </AsyncButton>
      )}
    </div>
  );
}
