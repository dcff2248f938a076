/** The top bar: the chart's name, the saving state, menus, undo and redo. */
import { isEnabled, isReadOnlyFeature } from '#apps/chart/designer/config.ts';
import { People } from '#apps/chart/designer/saving/notices.tsx';
import { SaveStateLine } from '#apps/chart/designer/saving/save-state.tsx';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { setRoot } from '#server/drawing/edit/fields.ts';
import { Button, IconButton, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { wordsOf } from '#apps/chart/designer/acts/edit-words.ts';
import { MenuButton, type MenuLine } from '#apps/chart/designer/kit/menu.tsx';
import type { Command } from '#apps/chart/designer/acts/command.ts';
import { menuLines } from '#apps/chart/designer/acts/menu-lines.ts';
import { dialogs, type DialogSlot } from '#apps/chart/designer/shell/panels.ts';

interface TopBarLook {
  hasTree: boolean;
  onTree: () => void;
  hasSide: boolean;
  onSide: () => void;
}

export function TopBar({ hasTree, onTree, hasSide, onSide }: TopBarLook) {
  const { config, studio } = useDesigner();
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const { onExitRequested } = config();
  return (
    <div className="bsd-top">
      {onExitRequested && (
        <IconButton icon="back" label="Esci" onPress={() => config().onExitRequested?.()} />
      )}
      <IconButton icon="tree" label="Elenco degli oggetti" expanded={hasTree} onPress={onTree} />
      <ChartName />
      <People />
      <SaveStateLine />
      <span className="bsd-gap" />
      <Menus />
      {!readOnly && <Steps />}
      <span className="bsd-only-narrow">
        <IconButton icon="sliders" label="Pannelli" expanded={hasSide} onPress={onSide} />
      </span>
      {!readOnly && isEnabled(config(), 'publishing') && <PublishButton />}
    </div>
  );
}

function ChartName() {
  const { studio, config } = useDesigner();
  const name = useStudio(studio, (state) => state.doc.root.name ?? '');
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const rename = (text: string) => {
    if (text.trim() !== '') studio.act(setRoot(studio.state.doc, { name: text.trim() }));
  };
  return (
    <h2 className="bsd-top-name" aria-label={name}>
      <TextField
        label="Nome della pianta"
        hideLabel
        value={name}
        readOnly={readOnly || isReadOnlyFeature(config(), 'chartName')}
        onCommit={rename}
      />
    </h2>
  );
}

function Menus() {
  const designer = useDesigner();
  const slots = (menu: DialogSlot['menu']): MenuLine[] =>
    dialogs
      .filter((slot) => slot.menu === menu)
      .filter(({ features }) => !features || isEnabled(designer.config(), ...features))
      .map(({ id, title, icon }) => ({ id, title, icon, run: () => designer.openDialog(id) }));
  const lines = (menu: Command['menu']) => menuLines(designer, ({ menu: own }) => own === menu);
  return (
    <>
      <MenuButton title="Pianta" icon="menu" groups={() => [slots('file')]} />
      <MenuButton
        title="Modifica"
        icon="copy"
        groups={() => [lines('edit'), lines('select'), slots('edit'), slots('labels')]}
      />
      <MenuButton
        title="Disponi"
        icon="sliders"
        groups={() => [
          menuLines(designer, ({ menu, id }) => menu === 'arrange' && !/^(nudge|push)/.test(id)),
          lines('rows'),
        ]}
      />
      <MenuButton title="Vista" icon="eye" groups={() => [lines('view'), slots('view')]} />
    </>
  );
}

function Steps() {
  const { studio } = useDesigner();
  const last = useStudio(studio, (state) => state.past.at(-1));
  const next = useStudio(studio, (state) => state.future[0]);
  return (
    <>
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
    </>
  );
}

function PublishButton() {
  const { openDialog } = useDesigner();
  return (
    <Button look="primary" onPress={() => openDialog('publish')}>
      Pubblica
    </Button>
  );
}
