/**
 * Buttons and fields of the designer: a field commits its value when it is left or Enter is
 * pressed, so that an edit is one undo step.
 */
import { useId, useState, type ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

interface ButtonLook {
  look?: 'primary' | 'danger' | 'plain';
  icon?: IconName;
  disabled?: boolean;
  pressed?: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** Stays in the tab order while disabled, so that the button keeps the focus. */
export function Button({ look, icon, disabled = false, pressed, onPress, children }: ButtonLook) {
  return (
    <button
      type="button"
      className="bsd-button"
      data-look={look}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onPress()}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonLook {
  icon: IconName;
  label: string;
  /** The key beside the name: "Ctrl+Z". */
  keys?: string;
  disabled?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  onPress: () => void;
  className?: string;
}

export function IconButton(given: IconButtonLook) {
  const { icon, label, keys, disabled = false, pressed, expanded, onPress, className = '' } = given;
  return (
    <button
      type="button"
      className={`bsd-icon-button ${className}`}
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onPress()}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The typed text until it is committed; a new value from outside replaces it. */
function useDraft(value: string, commit: (text: string) => void) {
  const [state, setState] = useState({ value, draft: value });
  const draft = state.value === value ? state.draft : value;
  const say = () => {
    if (draft !== value) commit(draft);
  };
  const setDraft = (text: string) => setState({ value, draft: text });
  return { draft, setDraft, say, forget: () => setDraft(value) };
}

interface TextFieldLook {
  label: string;
  value: string;
  onCommit: (value: string) => void;
  hint?: string;
  /** Whether several objects have different values. */
  mixed?: boolean;
  readOnly?: boolean;
  hideLabel?: boolean;
  error?: string | null;
  maxLength?: number;
  inputMode?: 'text' | 'decimal' | 'numeric';
  suggestions?: readonly string[];
}

export function TextField(given: TextFieldLook) {
  const { label, value, onCommit, hint, mixed, readOnly, hideLabel, error, suggestions } = given;
  const id = useId();
  const { draft, setDraft, say, forget } = useDraft(value, onCommit);
  const told = error ?? hint;
  return (
    <div className="bsd-field">
      {!hideLabel && <label htmlFor={id}>{label}</label>}
      <input
        id={id}
        className="bsd-input"
        aria-label={hideLabel ? label : undefined}
        value={draft}
        placeholder={mixed ? 'Valori diversi' : undefined}
        readOnly={readOnly}
        maxLength={given.maxLength ?? 200}
        inputMode={given.inputMode}
        autoComplete="off"
        list={suggestions ? `${id}-list` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={told ? `${id}-told` : undefined}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={say}
        onKeyDown={(event) => {
          if (event.key === 'Enter') say();
          else if (event.key === 'Escape') forget();
          else return;
          event.stopPropagation();
        }}
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      )}
      {told && <small id={`${id}-told`}>{told}</small>}
    </div>
  );
}

interface NumberFieldLook {
  label: string;
  /** Null when there is no value, or several. */
  value: number | null;
  onCommit: (value: number) => void;
  /** Called for an empty field; if missing, the previous number comes back. */
  onClear?: () => void;
  min?: number;
  max?: number;
  whole?: boolean;
  unit?: string;
  hint?: string;
  readOnly?: boolean;
}

/** Italian writes 1,5; a point is accepted too. */
function readNumber(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? null : value;
}

function writeNumber(value: number | null): string {
  return value === null ? '' : String(Math.round(value * 100) / 100).replace('.', ',');
}

export function NumberField(given: NumberFieldLook) {
  const { label, value, onCommit, onClear, min = -1e6, max = 1e6, whole, unit, hint } = given;
  const [error, setError] = useState<string | null>(null);
  const commit = (text: string) => {
    const number = readNumber(text);
    if (text.trim() === '' && onClear) {
      setError(null);
      onClear();
    } else if (number === null || number < min || number > max)
      setError(`Scrivi un numero tra ${writeNumber(min)} e ${writeNumber(max)}.`);
    else {
      setError(null);
      onCommit(whole ? Math.round(number) : number);
    }
  };
  return (
    <TextField
      label={unit ? `${label} (${unit})` : label}
      value={writeNumber(value)}
      onCommit={commit}
      error={error}
      hint={hint}
      readOnly={given.readOnly}
      inputMode={whole ? 'numeric' : 'decimal'}
      maxLength={12}
    />
  );
}

interface Choice {
  value: string;
  text: string;
}

interface SelectLook {
  label: string;
  /** Null for several values. */
  value: string | null;
  options: readonly Choice[];
  onChange: (value: string) => void;
  disabled?: boolean;
  hideLabel?: boolean;
  hint?: string;
}

export function Select({ label, value, options, onChange, disabled, hideLabel, hint }: SelectLook) {
  const id = useId();
  return (
    <div className="bsd-field">
      {!hideLabel && <label htmlFor={id}>{label}</label>}
      <select
        id={id}
        className="bsd-input"
        aria-label={hideLabel ? label : undefined}
        value={value ?? '\u0000'}
        disabled={disabled}
        aria-describedby={hint ? `${id}-told` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {value === null && (
          <option value={'\u0000'} disabled>
            Valori diversi
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint && <small id={`${id}-told`}>{hint}</small>}
    </div>
  );
}

interface CheckLook {
  label: string;
  /** Null when only some of the objects have it. */
  checked: boolean | null;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Check({ label, checked, onChange, disabled }: CheckLook) {
  return (
    <label className="bsd-check">
      <input
        type="checkbox"
        checked={checked === true}
        disabled={disabled}
        ref={(box) => {
          if (box) box.indeterminate = checked === null;
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
