/** The search of a list: a field whose text lives in the address, and its empty result. */
import { Button } from '#apps/admin/kit/button.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { SearchField, useAddressFilters, withoutEmpty } from './filters.tsx';
import { useTypedSearch, type TypedSearch } from './typed-search.ts';
import styles from './filters.module.css';

export interface ListSearch {
  /** '' finds everything. */
  q: string;
  query: { q?: string };
  field: TypedSearch;
  clear: () => void;
}

export function useListSearch(): ListSearch {
  const { text, set } = useAddressFilters();
  const q = text('q');
  return {
    q,
    query: withoutEmpty({ q }),
    field: useTypedSearch(q, (typed) => set('q', typed)),
    clear: () => set('q', ''),
  };
}

interface FieldProps {
  search: ListSearch;
  /** The full label for screen readers, as in "Cerca per …". */
  label: string;
  hint: string;
}

export function ListSearchField({ search, label, hint }: FieldProps) {
  return (
    <search className={styles.toolbar}>
      <SearchField search={search.field} label={label} hint={hint} />
    </search>
  );
}

export function NothingFound({ search, title }: { search: ListSearch; title: string }) {
  return (
    <Empty icon="search" title={title}>
      <Button onClick={search.clear} label="Mostra tutti" />
    </Empty>
  );
}
