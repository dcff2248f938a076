/** The colour of a block or a contingent as a small disc beside its name. */
import type { BlockColor } from '#server/domain/seat/block.ts';
import styles from './blocks.module.css';

export function Swatch({ color }: { color: BlockColor }) {
  return (
    <span
      className={styles.swatch}
      style={{ background: `var(--block-${color})` }}
      aria-hidden="true"
    />
  );
}
