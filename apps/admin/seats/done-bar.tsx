/** The last act on the map, with undo. */
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { Blocks } from '#apps/admin/seats/kept/use-blocks.ts';

type Doings = Pick<Blocks, 'done' | 'forget'>;
import styles from '#apps/admin/seats/kept/blocks.module.css';

/** For acts on blocks or on contingents. */
export function DoneBar({ done, forget }: Doings) {
  return (
    <div aria-live="polite">
      {done !== null && (
        <p className={styles.done}>
          <Icon name="check" size={18} /> <span>{done.text}</span>
          {done.undo !== null && (
            <AsyncButton
              onClick={async () => {
                await done.undo?.();
                forget();
              }}
            >
              <Icon name="undo" size={16} /> Annulla
            </AsyncButton>
          )}
          <button
            type="button"
            className="ui-dialog-close"
            aria-label="Chiudi il messaggio"
            onClick={forget}
          >
            <Icon name="cross" />
          </button>
        </p>
      )}
    </div>
  );
}
