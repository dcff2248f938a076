/** The frame of both site forms: refusals, sections, save bar, question before leaving. */
import type { ReactNode } from 'react';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';
import { SaveBar } from '#apps/admin/kit/form/save-bar.tsx';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';

interface SavedFormProps {
  form: { dirty: boolean; saved: boolean; save: () => Promise<void>; discard: () => void };
  /** Shown above the sections. */
  notices: ReactNode;
  children: ReactNode;
}

export function SavedForm({ form, notices, children }: SavedFormProps) {
  const guard = useUnsavedGuard(form.dirty);
  return (
    <form className={sectionStyles.form} noValidate onSubmit={(submit) => submit.preventDefault()}>
      {notices}
      <div className={sectionStyles.sections}>{children}</div>
      <SaveBar
        dirty={form.dirty}
        note={form.saved ? 'Salvato: si vede subito.' : ''}
        saveLabel="Salva"
        onSave={form.save}
        onDiscard={form.discard}
      />
      {guard}
    </form>
  );
}
