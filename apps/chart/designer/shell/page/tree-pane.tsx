/** The list of objects beside the canvas. */
import { Tree } from '#apps/chart/designer/tree/tree.tsx';
import { IconButton } from '#apps/chart/designer/kit/controls.tsx';

export function TreePane({ onClose }: { onClose: () => void }) {
  return (
    <section className="bsd-tree-pane" aria-label="Elenco degli oggetti">
      <div className="bsd-pane-title">
        <h2>Oggetti</h2>
        <IconButton icon="cross" label="Chiudi l’elenco" onPress={onClose} />
      </div>
      <Tree />
    </section>
  );
}
