/** Commands for rows and sections. */
import { joinRows, reverseRows, splitRow, swapLabels } from '#server/drawing/edit/rows/parts.ts';
import { smoothRows, straightenRows } from '#server/drawing/edit/rows/shape.ts';
import {
  dissolveSection,
  fitSection,
  moveIntoSection,
  sectionAround,
} from '#server/drawing/edit/sections.ts';
import { madeBy } from '#server/drawing/edit/targets.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { NOTHING_SELECTED } from '#server/drawing/model/selection.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Command } from './command.ts';

const onRows =
  (act: (doc: Doc, ids: Iterable<string>) => Edit | null) =>
  ({ studio }: DesignerContext): void => {
    const { doc, selection } = studio.state;
    studio.act(act(doc, selection.items));
  };

function split({ studio, newId }: DesignerContext): void {
  const { doc, selection } = studio.state;
  const [[id, positions]] = [...selection.seats] as [[string, ReadonlySet<number>]];
  const [position = 0] = positions;
  const edit = splitRow(doc, id, position, newId);
  if (edit) studio.act(edit);
  else studio.say('Qui la fila non si può dividere.');
}

const onSection =
  (act: (doc: Doc, id: string) => Edit | null) =>
  ({ studio }: DesignerContext): void => {
    const { doc, selection } = studio.state;
    const id = [...selection.items].find((one) => doc.items.get(one)?.kind === 'section');
    if (id !== undefined) studio.act(act(doc, id));
  };

function command(
  id: string,
  title: string,
  more: Partial<Command> & Pick<Command, 'run'>,
): Command {
  return { id, title, menu: 'rows', needs: 'rows', changes: true, ...more };
}

export const rowCommands: readonly Command[] = [
  command('split', 'Dividi la fila dopo questo posto', {
    needs: 'one-seat',
    inContext: true,
    run: split,
  }),
  command('join', 'Unisci le file', { keys: ['Ctrl+J'], needs: 'several', run: onRows(joinRows) }),
  command('reverse', 'Inverti il verso della fila', { run: onRows(reverseRows) }),
  command('swap', 'Numera dall’altro lato', {
    feature: 'labeling',
    inContext: true,
    run: onRows(swapLabels),
  }),
  command('smooth', 'Ammorbidisci', { run: onRows(smoothRows) }),
  command('straighten', 'Raddrizza', { run: onRows(straightenRows) }),
  command('section-around', 'Fai un settore', {
    feature: 'sections',
    needs: 'selection',
    inContext: true,
    run: ({ studio, newId }) => {
      const edit = sectionAround(studio.state.doc, studio.state.selection, {}, newId);
      if (edit) studio.act(edit, madeBy(edit));
    },
  }),
  command('out-of-section', 'Togli dal settore', {
    feature: 'sections',
    needs: 'objects',
    run: ({ studio }) =>
      studio.act(moveIntoSection(studio.state.doc, studio.state.selection, null)),
  }),
  command('fit-section', 'Adatta il contorno del settore', {
    feature: 'sections',
    needs: 'section',
    run: onSection(fitSection),
  }),
  command('dissolve', 'Sciogli il settore', {
    feature: 'sections',
    needs: 'section',
    run: onSection(dissolveSection),
  }),
  command('enter', 'Entra nel settore', {
    keys: ['Invio'],
    needs: 'section',
    inContext: true,
    changes: false,
    run: ({ studio }) => {
      const { doc, selection } = studio.state;
      const id = [...selection.items].find((one) => doc.items.get(one)?.kind === 'section');
      if (id !== undefined) studio.set({ section: id, selection: NOTHING_SELECTED });
    },
  }),
];
