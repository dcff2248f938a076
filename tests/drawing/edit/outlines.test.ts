/** The outline of a section follows what stands in it. */
import { expect, test } from 'vitest';
import { movePoint } from '#server/drawing/edit/areas.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { makeSegmentedRow } from '#server/drawing/edit/rows/make.ts';
import { fitSection, sectionAround } from '#server/drawing/edit/sections.ts';
import { palchiAlong } from '#server/drawing/edit/tables/palchi.ts';
import { moveSelection } from '#server/drawing/edit/transform.ts';
import { isInside } from '#server/drawing/geometry/hull.ts';
import { away } from '#server/drawing/geometry/vector.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import { Drawn } from './drawn.ts';

const AT = { floor: 'floor-0', section: null };

test('the outline of a tier of boxes leaves the stalls free and goes with its boxes, until a person draws it', () => {
  const drawn = new Drawn();
  const bend = Array.from({ length: 13 }, (_, step) => away({ x: 480, y: 520 }, step * 15, 324));
  const points = [{ x: 804, y: 196 }, ...bend, { x: 156, y: 196 }];
  const [line] = drawn.make(makeSegmentedRow(drawn.doc, { at: AT, points }, drawn.newId));
  const options = { boxes: 17, chairs: 4, depth: 38, tier: 'I ordine' };
  const boxes = drawn.make(palchiAlong(drawn.doc, line!, options, drawn.newId));
  const [section] = drawn.make(sectionAround(drawn.doc, selectItems(boxes), {}, drawn.newId));
  const outline = () => (drawn.doc.items.get(section!) as Item<'section'>).data.points!;
  const holdsAll = () => listPlaces(drawn.doc).every((place) => isInside(outline(), place));
  expect(holdsAll()).toBe(true);
  for (const y of [200, 400, 600, 780]) expect(isInside(outline(), { x: 480, y })).toBe(false);
  const corner = structuredClone(drawn.doc.items.get(section!)!.data.topLeft);

  // A box that moves takes the outline along, and one that goes leaves it.
  drawn.act(moveSelection(drawn.doc, selectItems([boxes[0]!]), { dx: 90, dy: 0 }));
  expect(holdsAll()).toBe(true);
  const reach = Math.max(...outline().map(({ x }) => x));
  expect(reach).toBeGreaterThan(900);
  drawn.act(removeSelection(drawn.doc, selectItems([boxes[0]!])));
  expect(Math.max(...outline().map(({ x }) => x))).toBeLessThan(860);
  // Its contents are measured from the corner, which stays.
  expect(drawn.doc.items.get(section!)!.data.topLeft).toEqual(corner);

  const [first] = outline();
  drawn.act(movePoint(drawn.doc, section!, 0, { x: first!.x, y: first!.y - 40 }));
  const byHand = outline();
  drawn.act(moveSelection(drawn.doc, selectItems([boxes[3]!]), { dx: 5, dy: 5 }));
  expect(outline()).toEqual(byHand);
  drawn.act(fitSection(drawn.doc, section!));
  expect(outline()).not.toEqual(byHand);
  drawn.undoAll();
});
