/** Commands to copy, paste, delete and select. */
import { copyClip } from '#server/drawing/edit/clip.ts';
import { duplicateSelection, pasteClip } from '#server/drawing/edit/copy.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { madeBy, withGroups } from '#server/drawing/edit/targets.ts';
import { NOTHING_SELECTED } from '#server/drawing/model/selection.ts';
import {
  invertSelected,
  selectAll,
  selectSame,
  selectSimilar,
  type Likeness,
} from '#apps/chart/designer/tools/similar.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import { putClip, takeClip } from './clipboard.ts';
import type { Command } from './command.ts';

function copy({ studio }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const clip = copyClip(doc, withGroups(doc, selection));
  if (!clip) return;
  putClip(clip);
  studio.say('Copiato.');
}

function remove({ studio }: DesignerContext): void {
  const { doc, selection } = studio.state;
  studio.act(removeSelection(doc, withGroups(doc, selection)), NOTHING_SELECTED);
}

function paste({ studio, newId }: DesignerContext): void {
  const { doc, floor, section } = studio.state;
  const clip = takeClip();
  const edit = clip && pasteClip(doc, clip, { at: { floor, section } }, newId);
  if (edit) studio.act(edit, madeBy(edit));
  else studio.say('Non c’è niente da incollare.');
}

function duplicate({ studio, newId }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const edit = duplicateSelection(doc, withGroups(doc, selection), { dx: 24, dy: 24 }, newId);
  if (edit) studio.act(edit, madeBy(edit));
}

const same =
  (likeness: Likeness) =>
  ({ studio }: DesignerContext): void =>
    studio.set({ selection: selectSame(studio.state, likeness) });

export const editCommands: readonly Command[] = [
  {
    id: 'undo',
    title: 'Annulla',
    keys: ['Ctrl+Z'],
    menu: 'edit',
    changes: true,
    run: ({ studio }) => studio.undo(),
  },
  {
    id: 'redo',
    title: 'Ripeti',
    keys: ['Ctrl+Y', 'Ctrl+Maiusc+Z'],
    menu: 'edit',
    changes: true,
    run: ({ studio }) => studio.redo(),
  },
  {
    id: 'cut',
    title: 'Taglia',
    keys: ['Ctrl+X'],
    menu: 'edit',
    needs: 'selection',
    changes: true,
    run: (designer) => {
      copy(designer);
      remove(designer);
    },
  },
  {
    id: 'copy',
    title: 'Copia',
    keys: ['Ctrl+C'],
    menu: 'edit',
    inContext: true,
    needs: 'selection',
    run: copy,
  },
  {
    id: 'paste',
    title: 'Incolla',
    keys: ['Ctrl+V'],
    menu: 'edit',
    inContext: true,
    changes: true,
    run: paste,
  },
  {
    id: 'duplicate',
    title: 'Duplica',
    keys: ['Ctrl+D'],
    menu: 'edit',
    inContext: true,
    needs: 'selection',
    changes: true,
    run: duplicate,
  },
  {
    id: 'delete',
    title: 'Elimina',
    keys: ['Canc', 'Backspace'],
    menu: 'edit',
    inContext: true,
    needs: 'selection',
    changes: true,
    run: remove,
  },
  {
    id: 'select-all',
    title: 'Seleziona tutto',
    keys: ['Ctrl+A'],
    menu: 'select',
    run: ({ studio }) => studio.set({ selection: selectAll(studio.state) }),
  },
  {
    id: 'select-none',
    title: 'Deseleziona',
    keys: ['Esc'],
    menu: 'select',
    needs: 'selection',
    run: ({ studio }) => studio.set({ selection: NOTHING_SELECTED }),
  },
  {
    id: 'invert',
    title: 'Inverti la selezione',
    keys: ['Ctrl+I'],
    menu: 'select',
    run: ({ studio }) => studio.set({ selection: invertSelected(studio.state) }),
  },
  {
    id: 'similar',
    title: 'Seleziona i simili',
    keys: ['Ctrl+Maiusc+A'],
    menu: 'select',
    inContext: true,
    needs: 'selection',
    run: ({ studio }) => studio.set({ selection: selectSimilar(studio.state) }),
  },
  ...(
    [
      ['row', 'Tutta la fila'],
      ['section', 'Tutto il settore'],
      ['category', 'Tutta la categoria'],
      ['kind', 'Tutti quelli di questo tipo'],
    ] as const
  ).map(([likeness, title]): Command => ({
    id: `same-${likeness}`,
    title,
    menu: 'select',
    needs: 'selection',
    run: same(likeness),
  })),
];
