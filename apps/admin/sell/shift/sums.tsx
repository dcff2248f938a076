/** A panel of sums, each with its words. */
import { formatEuro } from '#apps/shared/format.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import styles from '#apps/admin/sell/sell.module.css';

export type SumRow = readonly [label: string, cents: number | null];

export function Sums({ title, rows }: { title: string; rows: readonly SumRow[] }) {
  return (
    <Panel>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>Ancora niente.</p>
      ) : (
        <dl className={styles.sums}>
          {rows.map(([label, cents], at) => (
            <Sum key={`${at} ${label}`} label={label} cents={cents} />
          ))}
        </dl>
      )}
    </Panel>
  );
}

/** Null: the reader is not told. */
function Sum({ label, cents }: { label: string; cents: number | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{cents === null ? '–' : formatEuro(cents)}</dd>
    </>
  );
}
