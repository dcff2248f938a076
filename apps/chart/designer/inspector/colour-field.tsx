/** A colour, chosen as the system lets one choose. */
import { useId } from 'react';

interface ColourFieldLook {
  label: string;
  value: string | undefined;
  onCommit: (value: string) => void;
  readOnly?: boolean;
}

/** The browser's field knows `#rrggbb` alone. */
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
        // At the end of choosing, not at every shade in between: one step back takes it away.
        onBlur={(event) => event.target.value !== shown && onCommit(event.target.value)}
      />
    </div>
  );
}
