/** Search and filters above a list: a field, and filters that fold on a small screen. */
import type { ReactNode } from 'react';
import { SearchField } from './filters.tsx';
import { FoldedFilters } from './folded.tsx';
import { useTypedSearch } from './typed-search.ts';
import styles from './filters.module.css';

interface FilterBarProps {
  query: { q?: string };
  set: (name: string, value: string) => void;
  /** The full label for screen readers, as in "Cerca per …". */
  label: string;
  hint: string;
  /** How many criteria in the address have no control here. */
  given?: number;
  /** Called after Enter has applied the text. */
  onEnter?: (text: string) => unknown;
  children: ReactNode;
}

export function FilterBar({
  query,
  set,
  label,
  hint,
  given = 0,
  onEnter,
  children,
}: FilterBarProps) {
  const search = useTypedSearch(query.q ?? '', (text) => set('q', text));
  return (
    <search>
      <form
        className={styles.toolbar}
        onSubmit={(event) => {
          event.preventDefault();
          search.apply();
          onEnter?.(search.typed.trim());
        }}
      >
        <SearchField search={search} label={label} hint={hint} />
        <FoldedFilters set={Object.keys(query).filter((name) => name !== 'q').length - given}>
          {children}
        </FoldedFilters>
      </form>
    </search>
  );
}
