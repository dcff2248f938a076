/** The building blocks of long forms: sections, and a jump to a faulty field. */
import { useId, type ReactNode } from 'react';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import styles from './form-section.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

/** One Italian sentence per field. */
export type Faults = Readonly<Record<string, string>>;

export function Section({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Panel className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p className={`${textStyles.soft} ${styles.hint}`}>{hint}</p>}
      {children}
    </Panel>
  );
}

/** Marks the field for goToField(). */
export function Spot({ field, children }: { field: string; children: ReactNode }) {
  return (
    <div className={styles.spot} data-field={field}>
      {children}
    </div>
  );
}

/** Scrolls to a field and gives it the focus. */
export function goToField(field: string): void {
  const spot = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  const folded = spot?.closest('details');
  if (folded) folded.open = true;
  const controls = spot?.querySelectorAll<HTMLElement>(
    'input:not([type=hidden]), select, textarea, [contenteditable=true], button',
  );
  const control = [...(controls ?? [])].find((one) => one.checkVisibility());
  spot?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}
