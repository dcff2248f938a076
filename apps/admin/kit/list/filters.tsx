/** Search field and filters of a list; the address keeps them for reload, back and links. */
import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useRowKeys, useSlashKey } from './keys.ts';
import type { TypedSearch } from './typed-search.ts';
import styles from './filters.module.css';

interface AddressFilters {
  /** Cut to the server's limit; '' when not set. */
  text: (name: string) => string;
  /** Undefined for an unknown value. */
  oneOf: <T extends string>(name: string, known: readonly T[]) => T | undefined;
  set: (name: string, value: string) => void;
  change: (changes: Record<string, string>) => void;
  clear: () => void;
}

const longest = 100;

export function useAddressFilters(): AddressFilters {
  const [params, setParams] = useSearchParams();
  const change = (changes: Record<string, string>) =>
    setParams((old) => withParams(old, changes), { replace: true });
  return {
    text: (name) => (params.get(name) ?? '').slice(0, longest),
    oneOf: (name, known) => known.find((value) => value === params.get(name)),
    set: (name, value) => change({ [name]: value }),
    change,
    clear: () => setParams({}, { replace: true }),
  };
}

/** Changes some parameters of the address; '' removes one. */
export function withParams(old: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(old);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Removes empty values, for a query. */
export function withoutEmpty<T extends Record<string, string | undefined>>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}

interface SearchFieldProps {
  search: TypedSearch;
  label: string;
  hint: string;
}

/** `label` is the full name for screen readers, `hint` the short one in the field. */
export function SearchField({ search: { typed, type }, label, hint }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  useRowKeys(field);
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={field}
        className="ui-input"
        type="search"
        aria-label={label}
        placeholder={hint}
        value={typed}
        maxLength={longest}
        autoComplete="off"
        spellCheck={false}
        aria-keyshortcuts="/"
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && type('')}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** The label of the empty choice; without it one option is always chosen. */
  all?: string;
  value: string;
  options: (readonly [value: string, word: string])[];
  onChange: (value: string) => void;
}

export function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <div className={styles.filter}>
      <select
        className="ui-input"
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {all !== undefined && <option value="">{all}</option>}
        {options.map(([name, word]) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}
