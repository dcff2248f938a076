/** A field for formatted text; the editor is loaded only when a form shows one. */
import { Suspense, useId, type ReactNode } from 'react';
import { latePart } from '#apps/shared/late-part.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import richTextStyles from './rich-text.module.css';

const Editor = latePart(
  async () => (await import('./rich-text-editor.tsx')).RichTextEditor,
  () => <p role="alert">Questo testo resta com’è: per cambiarlo salva e ricarica la pagina.</p>,
);

interface RichTextProps {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** The initial HTML; to change it later, change `key`. */
  start: string;
  /** '' for an empty text. */
  onChange: (html: string) => void;
}

export function RichText({ label, hint, error, start, onChange }: RichTextProps) {
  const words = useId();
  const wrong = error !== undefined && error !== null;
  const describedBy = [hint === undefined ? null : `${words}-hint`, wrong ? `${words}-error` : null]
    .filter((part) => part !== null)
    .join(' ');
  return (
    <div className="ui-field">
      <span id={words} className="ui-field-label">
        {label}
      </span>
      <Suspense
        fallback={
          <div className={richTextStyles.waiting}>
            <Spinner />
          </div>
        }
      >
        <Editor
          start={start}
          onChange={onChange}
          labelledBy={words}
          describedBy={describedBy}
          invalid={wrong}
        />
      </Suspense>
      {hint !== undefined && (
        <p id={`${words}-hint`} className="ui-field-hint">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${words}-error`} className="ui-field-error">
          {error}
        </p>
      )}
    </div>
  );
}
