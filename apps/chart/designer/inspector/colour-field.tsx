/** A colour field with the system's own picker. */
import { useId } from 'react';

interface ColourFieldLook {
  label: string;
  value: string | undefined;
  onCommit: (value: string) => void;
  readOnly?: boolean;
}

/** The browser's field takes only `#rrggbb`. */
export function ColourField({ label, value = '', onCommit, readOnly }: ColourFieldLook) {
  const id = useId();
  const shown = /^#[\da-f]{6}$/i.test(value) ? value : '#808080';
  return (
    <div className="bsd-field">
      <label htmlFor={id}>{label}</label>
      <input
        key={shown}
        id={id}
        className="bsd-input"
        type="color"
        defaultValue={shown}
        disabled={readOnly}
        // Only the final colour is an edit, so that one undo restores the earlier one.
        onBlur={(event) => event.target.value !== shown && onCommit(event.target.value)}
      />
    </div>
  );
}
