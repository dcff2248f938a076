/** Filters that fold into a button on small screens. */
import { useId, useState, type ReactNode } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './folded.module.css';

interface FoldedFiltersProps {
  /** How many filters are set; shown because they explain a short list. */
  set: number;
  children: ReactNode;
}

export function FoldedFilters({ set, children }: FoldedFiltersProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={`ui-button ${styles.fold}`}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name="sliders" size={18} /> Filtri{set > 0 && ` (${set})`}
      </button>
      <div id={id} className={styles.filters} data-open={open}>
        {children}
      </div>
    </>
  );
}
