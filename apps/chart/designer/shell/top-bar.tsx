/** Above everything: the chart's name, what is saved, one step back and forward. */
import { useDesigner } from '#apps/chart/designer/state/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { IconButton } from './controls.tsx';
import { wordsOf } from './edit-words.ts';

interface TopBarLook {
  hasTree: boolean;
  onTree: () => void;
  hasSide: boolean;
  onSide: () => void;
}

export function TopBar({ hasTree, onTree, hasSide, onSide }: TopBarLook) {
  const { studio, config } = useDesigner();
  const name = useStudio(studio, (state) => state.doc.root.name ?? '');
  const last = useStudio(studio, (state) => state.past.at(-1));
  const next = useStudio(studio, (state) => state.future[0]);
  const { onExitRequested } = config();
  return (
    <div className="bsd-top">
      {onExitRequested && (
        <IconButton icon="back" label="Esci" onPress={() => config().onExitRequested?.()} />
      )}
      <IconButton icon="tree" label="Elenco degli oggetti" expanded={hasTree} onPress={onTree} />
      <h2 className="bsd-top-name">{name}</h2>
      <span className="bsd-gap" />
      <IconButton
        icon="undo"
        label={last ? `Annulla: ${wordsOf(last)}` : 'Annulla'}
        keys="Ctrl+Z"
        disabled={!last}
        onPress={() => studio.undo()}
      />
      <IconButton
        icon="redo"
        label={next ? `Ripeti: ${wordsOf(next)}` : 'Ripeti'}
        keys="Ctrl+Y"
        disabled={!next}
        onPress={() => studio.redo()}
      />
      <span className="bsd-only-narrow">
        <IconButton icon="sliders" label="Pannelli" expanded={hasSide} onPress={onSide} />
      </span>
    </div>
  );
}
