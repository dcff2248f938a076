/** Commands for order, groups, locks, turning, and moving by keys. */
import { alignSelection, distributeSelection } from '#server/drawing/edit/arrange.ts';
import {
  groupSelection,
  hideSelection,
  layerSelection,
  lockSelection,
  ungroupSelection,
} from '#server/drawing/edit/group.ts';
import { withGroups } from '#server/drawing/edit/targets.ts';
import { mirrorSelection, moveSelection, rotateSelection } from '#server/drawing/edit/transform.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { selectItems, type Selection } from '#server/drawing/model/selection.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Command } from './command.ts';

type Act = (doc: Doc, selection: Selection, newId: () => string) => Edit | null;

/** An act on the selected objects, with whole groups. */
const doing =
  (act: Act) =>
  ({ studio, newId }: DesignerContext): void => {
    const { doc, selection } = studio.state;
    studio.act(act(doc, withGroups(doc, selection), newId));
  };

function act(id: string, title: string, more: Partial<Command> & { do: Act }): Command {
  const { do: own, ...rest } = more;
  return {
    id,
    title,
    menu: 'arrange',
    needs: 'selection',
    changes: true,
    run: doing(own),
    ...rest,
  };
}

const sides = [
  ['left', 'Allinea a sinistra'],
  ['center', 'Allinea al centro'],
  ['right', 'Allinea a destra'],
  ['top', 'Allinea in alto'],
  ['middle', 'Allinea a metà'],
  ['bottom', 'Allinea in basso'],
] as const;
const layers = [
  ['front', 'In primo piano', 'Ctrl+Maiusc+↑'],
  ['forward', 'Avanti', 'Ctrl+↑'],
  ['backward', 'Indietro', 'Ctrl+↓'],
  ['back', 'In fondo', 'Ctrl+Maiusc+↓'],
] as const;
const ways = [
  ['↑', 0, -1, 'in alto'],
  ['↓', 0, 1, 'in basso'],
  ['←', -1, 0, 'a sinistra'],
  ['→', 1, 0, 'a destra'],
] as const;

/** Twenty presses of an arrow are undone as one move. */
function nudged(edit: Edit | null): Edit | null {
  return edit && { ...edit, joins: 'nudge' };
}

function hiddenItems({ items }: Doc): Selection {
  return selectItems([...items.values()].filter(({ data }) => data.x_hidden).map(({ id }) => id));
}

export const arrangeCommands: readonly Command[] = [
  ...ways.flatMap(([arrow, dx, dy, where]) => [
    act(`nudge-${where}`, `Sposta di 1 ${where}`, {
      keys: [arrow],
      do: (doc, selection) => nudged(moveSelection(doc, selection, { dx, dy })),
    }),
    act(`push-${where}`, `Sposta di 10 ${where}`, {
      keys: [`Maiusc+${arrow}`],
      do: (doc, selection) => nudged(moveSelection(doc, selection, { dx: dx * 10, dy: dy * 10 })),
    }),
  ]),
  act('group', 'Raggruppa', {
    keys: ['Ctrl+G'],
    inContext: true,
    needs: 'several',
    do: groupSelection,
  }),
  act('ungroup', 'Sciogli il gruppo', {
    keys: ['Ctrl+Maiusc+G'],
    needs: 'objects',
    do: ungroupSelection,
  }),
  act('lock', 'Blocca', {
    keys: ['Ctrl+L'],
    inContext: true,
    needs: 'objects',
    do: (doc, selection) => lockSelection(doc, selection, true),
  }),
  act('unlock', 'Sblocca', {
    keys: ['Ctrl+Maiusc+L'],
    needs: 'objects',
    do: (doc, selection) => lockSelection(doc, selection, false),
  }),
  act('hide', 'Nascondi qui', {
    keys: ['Ctrl+H'],
    needs: 'objects',
    do: (doc, selection) => hideSelection(doc, selection, true),
  }),
  act('show-all', 'Mostra tutti i nascosti', {
    keys: ['Ctrl+Maiusc+H'],
    needs: undefined,
    do: (doc) => hideSelection(doc, hiddenItems(doc), false),
  }),
  ...layers.map(([to, title, keys]) =>
    act(`layer-${to}`, title, {
      keys: [keys],
      needs: 'objects',
      do: (doc, selection) => layerSelection(doc, selection, to),
    }),
  ),
  ...sides.map(([side, title]) =>
    act(`align-${side}`, title, {
      needs: 'several',
      do: (doc, selection) => alignSelection(doc, selection, side),
    }),
  ),
  act('distribute-across', 'Distribuisci in orizzontale', {
    needs: 'several',
    do: (doc, selection) => distributeSelection(doc, selection, 'horizontal'),
  }),
  act('distribute-down', 'Distribuisci in verticale', {
    needs: 'several',
    do: (doc, selection) => distributeSelection(doc, selection, 'vertical'),
  }),
  act('turn-right', 'Ruota di 15° a destra', {
    keys: ['Ctrl+.'],
    do: (doc, selection) => rotateSelection(doc, selection, 15),
  }),
  act('turn-left', 'Ruota di 15° a sinistra', {
    keys: ['Ctrl+,'],
    do: (doc, selection) => rotateSelection(doc, selection, -15),
  }),
  act('mirror-across', 'Specchia in orizzontale', {
    do: (doc, selection) => mirrorSelection(doc, selection, 'horizontal'),
  }),
  act('mirror-down', 'Specchia in verticale', {
    do: (doc, selection) => mirrorSelection(doc, selection, 'vertical'),
  }),
];
