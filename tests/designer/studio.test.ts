/** The open drawing without a page: what is one step back, and what a search finds. */
import { expect, test } from 'vitest';
import { arrangeCommands } from '#apps/chart/designer/acts/commands-arrange.ts';
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import { findablePlaces, searchPlaces } from '#apps/chart/designer/shell/find-places.ts';
import { Studio } from '#apps/chart/designer/state/studio.ts';
import { setFields } from '#server/drawing/edit/fields.ts';
import { makeRow } from '#server/drawing/edit/rows/make.ts';
import { sectionAround } from '#server/drawing/edit/sections.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import { Drawn } from '#tests/drawing/edit/drawn.ts';

const AT = { floor: 'floor-0', section: null };

function twoRows(): { drawn: Drawn; rows: string[] } {
  const drawn = new Drawn();
  const rows = [100, 140].flatMap((y) => {
    const line = { at: AT, from: { x: 100, y }, to: { x: 316, y }, categoryKey: 1 };
    return drawn.make(makeRow(drawn.doc, line, drawn.newId));
  });
  return { drawn, rows };
}

test('arrows pressed one after the other are one step back, with the outline that follows; of another row they are another', () => {
  const { drawn, rows } = twoRows();
  drawn.act(sectionAround(drawn.doc, selectItems(rows), {}, drawn.newId));
  const studio = new Studio(drawn.doc);
  const { newId } = drawn;
  const press = (id: string) =>
    arrangeCommands.find((command) => command.id === id)!.run({ studio, newId } as DesignerContext);
  const before = JSON.stringify(saveDrawing(studio.state.doc));
  studio.set({ selection: selectItems([rows[0]!]) });
  for (let time = 0; time < 5; time += 1) press('push-a destra');
  press('nudge-in alto');
  expect(studio.state.past).toHaveLength(1);
  const moved = JSON.stringify(saveDrawing(studio.state.doc));
  studio.set({ selection: selectItems([rows[1]!]) });
  press('nudge-in alto');
  expect(studio.state.past).toHaveLength(2);
  studio.undo();
  expect(JSON.stringify(saveDrawing(studio.state.doc))).toBe(moved);
  studio.undo();
  expect(JSON.stringify(saveDrawing(studio.state.doc))).toBe(before);
});

test('a place is found by the name that is printed on the ticket, too', () => {
  const { drawn, rows } = twoRows();
  drawn.act(setFields(drawn.doc, [rows[1]!], { displayLabel: 'Loggia' }));
  const all = findablePlaces(drawn.doc);
  const [found] = searchPlaces(all, 'loggia-3');
  expect(found).toMatchObject({ text: 'Loggia-3 (B-3)' });
  expect(searchPlaces(all, 'b-3')[0]).toBe(found);
});
