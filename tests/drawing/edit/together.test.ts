/** Many objects at once: in line, at equal distances, copied, grouped, painted, paired. */
import { expect, test } from 'vitest';
import { alignSelection, distributeSelection } from '#server/drawing/edit/arrange.ts';
import {
  addCategory,
  moveCategory,
  paint,
  removeCategory,
} from '#server/drawing/edit/categories.ts';
import { copyClip, readClip } from '#server/drawing/edit/clip.ts';
import { pairCompanion } from '#server/drawing/edit/companions.ts';
import { gridCopy, pasteClip } from '#server/drawing/edit/copy.ts';
import { makeShape } from '#server/drawing/edit/decor.ts';
import { addFloor, moveToFloor } from '#server/drawing/edit/floors.ts';
import { groupSelection, layerSelection, lockSelection } from '#server/drawing/edit/group.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { makeRow, makeRowBlock } from '#server/drawing/edit/rows/make.ts';
import { dissolveSection, moveIntoSection, sectionAround } from '#server/drawing/edit/sections.ts';
import { makeBooth, makeRoundTable } from '#server/drawing/edit/tables/make.ts';
import { madeBy, withGroups } from '#server/drawing/edit/targets.ts';
import { moveSelection } from '#server/drawing/edit/transform.ts';
import { boundsOf } from '#server/drawing/geometry/bounds.ts';
import { isInside } from '#server/drawing/geometry/hull.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { seatsOf, selectItems } from '#server/drawing/model/selection.ts';
import { Drawn } from './drawn.ts';

const AT = { floor: 'floor-0', section: null };

function booths(drawn: Drawn, ...places: [number, number][]): string[] {
  return places.flatMap(([x, y]) => {
    const options = { at: AT, center: { x, y }, width: 40, height: 40, categoryKey: 1 };
    return drawn.make(makeBooth(drawn.doc, options, drawn.newId));
  });
}

function lefts(drawn: Drawn, ids: string[]): number[] {
  return ids.map((id) => boundsOf(drawn.doc, drawn.doc.items.get(id)!)!.left);
}

function block(drawn: Drawn): string[] {
  const options = { at: AT, origin: { x: 300, y: 200 }, rows: 3, seats: 6, categoryKey: 1 };
  return drawn.make(makeRowBlock(drawn.doc, options, drawn.newId));
}

test('aligned to the left they all begin where the first did; a group moves as one', () => {
  const drawn = new Drawn();
  const ids = booths(drawn, [100, 100], [180, 200], [260, 300], [340, 300]);
  drawn.act(groupSelection(drawn.doc, selectItems(ids.slice(2)), drawn.newId));
  const all = withGroups(drawn.doc, selectItems(ids.slice(0, 3)));
  expect([...all.items]).toEqual(ids);
  drawn.act(alignSelection(drawn.doc, all, 'left'));
  expect(lefts(drawn, ids)).toEqual([80, 80, 80, 160]);
});

test('distributed, the free room between them is equal', () => {
  const drawn = new Drawn();
  const ids = booths(drawn, [100, 100], [130, 200], [500, 300]);
  drawn.act(distributeSelection(drawn.doc, selectItems(ids), 'horizontal'));
  expect(lefts(drawn, ids)).toEqual([80, 280, 480]);
  drawn.act(distributeSelection(drawn.doc, selectItems(ids), 'horizontal', 10));
  expect(lefts(drawn, ids)).toEqual([80, 130, 180]);
});

test('what is locked stays where it is and is not deleted', () => {
  const drawn = new Drawn();
  const ids = booths(drawn, [100, 100], [200, 100]);
  drawn.act(lockSelection(drawn.doc, selectItems([ids[0]!]), true));
  drawn.act(moveSelection(drawn.doc, selectItems(ids), { dx: 5, dy: 0 }));
  expect(lefts(drawn, ids)).toEqual([80, 185]);
  drawn.act(removeSelection(drawn.doc, selectItems(ids)));
  expect([...drawn.doc.items.keys()]).toEqual([ids[0]]);
});

test('twelve tables from one have names that follow, and ids of their own', () => {
  const drawn = new Drawn();
  const options = { at: AT, center: { x: 100, y: 100 }, chairs: 8, categoryKey: 1 };
  const ids = drawn.make(makeRoundTable(drawn.doc, options, drawn.newId));
  drawn.act(
    gridCopy(drawn.doc, selectItems(ids), { columns: 4, rows: 3, dx: 150, dy: 150 }, drawn.newId),
  );
  const labels = [...drawn.doc.items.values()].map(({ data }) => data.label);
  expect(labels).toEqual(Array.from({ length: 12 }, (_, table) => `T${table + 1}`));
  const uuids = [...drawn.doc.items.values()].flatMap((item) =>
    seatsOf(item).map((seat) => seat.uuid),
  );
  expect(new Set(uuids).size).toBe(96);
  drawn.isGood();
});

test('a section goes into another chart with its category by name, and a missing category comes along', () => {
  const drawn = new Drawn();
  const rows = block(drawn);
  drawn.act(addCategory(drawn.doc, { label: 'Galleria', color: '#2fb5a0' }));
  const { key } = drawn.doc.categories.at(-1)!;
  expect(key).toBe(2);
  drawn.act(paint(drawn.doc, selectItems([rows[0]!]), String(key)));
  drawn.act(sectionAround(drawn.doc, selectItems(rows), { label: 'Platea' }, drawn.newId));
  const [section] = madeBy(drawn.past.at(-1)!).items;
  const clip = readClip(JSON.parse(JSON.stringify(copyClip(drawn.doc, selectItems([section!])))))!;
  const other = new Drawn({
    name: 'Altra',
    categories: { list: [{ key: 7, label: 'Platea', color: '#4f8ef7' }], maxCategoryKey: 7 },
    subChart: { focalPoint: null },
  });
  other.act(pasteClip(other.doc, clip, { at: AT, to: { x: 900, y: 900 } }, other.newId));
  expect(other.doc.categories.map(({ label, key: own }) => `${own} ${label}`)).toEqual([
    '7 Platea',
    '8 Galleria',
  ]);
  expect(saveDrawing(other.doc).categories).toMatchObject({ maxCategoryKey: 8 });
  const keys = [...other.doc.items.values()].flatMap((item) =>
    seatsOf(item).map(({ categoryKey }) => categoryKey),
  );
  expect(keys.filter((one) => one === 8)).toHaveLength(6);
  expect(keys.filter((one) => one === 7)).toHaveLength(12);
  other.isGood();
  other.undoAll();
});

test('what is no clip of ours is not pasted', () => {
  const good = { app: 'botteghino', version: 1, categories: [] };
  const at = { floor: 'x', section: null };
  for (const value of [
    null,
    [],
    { ...good, items: [{ kind: 'row', data: {}, at }] },
    { ...good, items: [{ kind: 'row', data: { seats: [{ x: 'a', y: 0 }] }, at }] },
    { ...good, items: [{ kind: 'wall', data: {}, at }] },
    { ...good, items: [{ kind: 'booth', data: { center: 3 }, at }] },
    { ...good, version: 2, items: [] },
  ])
    expect(readClip(value)).toBeNull();
  expect(
    readClip({ ...good, items: [{ kind: 'booth', data: { center: { x: 1, y: 2 } }, at }] }),
  ).not.toBeNull();
});

test('a section that is dissolved leaves its objects where they were, with its category', () => {
  const drawn = new Drawn();
  const rows = block(drawn);
  drawn.act(paint(drawn.doc, selectItems(rows), null));
  const before = boundsOf(drawn.doc, drawn.doc.items.get(rows[1]!)!);
  const made = sectionAround(drawn.doc, selectItems(rows), { categoryKey: 1 }, drawn.newId);
  const [section] = drawn.make(made);
  drawn.isGood();
  expect(drawn.errors()).toEqual([]);
  drawn.act(dissolveSection(drawn.doc, section!));
  expect(boundsOf(drawn.doc, drawn.doc.items.get(rows[1]!)!)).toEqual(before);
  expect(drawn.errors()).toEqual([]);
  expect(drawn.doc.root.venueType).toBe('WITH_SECTIONS_AND_FLOORS');
});

test('what leaves a section keeps the category that it had from it; a painted section paints all that stands in it', () => {
  const drawn = new Drawn();
  const rows = block(drawn);
  drawn.act(addCategory(drawn.doc, { label: 'Galleria', color: '#2fb5a0' }));
  const [section] = drawn.make(sectionAround(drawn.doc, selectItems(rows), {}, drawn.newId));
  drawn.act(paint(drawn.doc, selectItems([section!]), 2));
  const keys = (id: string) =>
    new Set(seatsOf(drawn.doc.items.get(id)).map(({ categoryKey }) => categoryKey));
  expect(keys(rows[0]!)).toEqual(new Set([undefined]));
  drawn.act(moveIntoSection(drawn.doc, selectItems([rows[0]!]), null));
  expect(keys(rows[0]!)).toEqual(new Set([2]));
  drawn.make(sectionAround(drawn.doc, selectItems([rows[1]!]), {}, drawn.newId));
  expect(keys(rows[1]!)).toEqual(new Set([2]));
  expect(drawn.errors()).toEqual([]);
  drawn.undoAll();
});

test('a category that goes gives its places to another', () => {
  const drawn = new Drawn();
  block(drawn);
  drawn.act(addCategory(drawn.doc, { label: 'Galleria', color: '#2fb5a0' }));
  drawn.act(removeCategory(drawn.doc, '1', { replaceBy: '2' }));
  expect(drawn.errors()).toEqual([]);
});

test('categories stand in the order that a person gives them', () => {
  const drawn = new Drawn();
  drawn.act(addCategory(drawn.doc, { label: 'Galleria', color: '#2fb5a0' }));
  drawn.act(moveCategory(drawn.doc, '2', -1));
  expect(drawn.doc.categories.map(({ label }) => label)).toEqual(['Galleria', 'Platea']);
  expect(moveCategory(drawn.doc, '2', -1)).toBeNull();
  drawn.undoAll();
});

test('a companion is paired with a wheelchair place elsewhere until that is deleted', () => {
  const drawn = new Drawn();
  const [first, second] = block(drawn) as [string, string];
  const wheelchair = { id: first, position: 0 };
  const companion = { id: second, position: 5 };
  drawn.act(pairCompanion(drawn.doc, wheelchair, companion, drawn.newId));
  const wheelchairSeat = seatsOf(drawn.doc.items.get(first))[0]!;
  const paired = seatsOf(drawn.doc.items.get(second))[5]!;
  expect(paired.x_companionOf).toBe(wheelchairSeat.uuid);
  expect(wheelchairSeat.accessible).toBe(true);
  drawn.act(removeSelection(drawn.doc, selectItems([first])));
  const seat = seatsOf(drawn.doc.items.get(second))[5]!;
  expect([seat.companionSeat, seat.x_companionOf]).toEqual([true, undefined]);
});

test('a second floor names the first, and takes what is moved to it', () => {
  const drawn = new Drawn();
  const rows = block(drawn);
  drawn.act(addFloor(drawn.doc, { name: 'Galleria' }, drawn.newId));
  const [ground, gallery] = drawn.doc.floors;
  drawn.act(moveToFloor(drawn.doc, selectItems(rows.slice(1)), gallery!.id));
  const saved = saveDrawing(drawn.doc) as {
    subChartFloors: { floorName: string; rows?: unknown[] }[];
  };
  expect(saved.subChartFloors.map(({ floorName, rows: own }) => [floorName, own?.length])).toEqual([
    ['Piano 1', 1],
    ['Galleria', 2],
  ]);
  expect(ground!.id).toBe('floor-0');
  drawn.isGood();
  drawn.undoAll();
});

test('a shape that is brought to the front is painted last', () => {
  const drawn = new Drawn();
  const shapes = [0, 1, 2].flatMap((x) =>
    drawn.make(
      makeShape(drawn.doc, { at: AT, type: 'rectangle', center: { x: x * 10, y: 0 } }, drawn.newId),
    ),
  );
  drawn.act(layerSelection(drawn.doc, selectItems([shapes[0]!]), 'front'));
  expect(drawn.doc.order.get('floor-0/shapes')).toEqual([shapes[1], shapes[2], shapes[0]]);
  drawn.act(layerSelection(drawn.doc, selectItems([shapes[2]!]), 'back'));
  expect(drawn.doc.order.get('floor-0/shapes')).toEqual([shapes[2], shapes[1], shapes[0]]);
});

test('the outline of a horseshoe follows its bay; painting a section says how many places lose a category of their own', () => {
  const drawn = new Drawn();
  drawn.act(addCategory(drawn.doc, { label: 'Galleria', color: '#2fb5a0' }));
  const at = { floor: drawn.doc.floors[0]!.id, section: null };
  const rows = Array.from({ length: 8 }, (_, n) => {
    const y = 100 + n * 30;
    const row = (from: number, to: number) =>
      drawn.make(
        makeRow(
          drawn.doc,
          { at, from: { x: from, y }, to: { x: to, y }, categoryKey: 1 },
          drawn.newId,
        ),
      );
    return n < 5 ? [...row(100, 244), ...row(460, 604)] : row(100, 604);
  }).flat();
  const [section] = drawn.make(sectionAround(drawn.doc, selectItems(rows), {}, drawn.newId));
  const { points: outline = [] } = (drawn.doc.items.get(section!) as Item<'section'>).data;
  expect(isInside(outline, { x: 350, y: 140 })).toBe(false);
  for (const place of listPlaces(drawn.doc)) expect(isInside(outline, place)).toBe(true);
  const edit = paint(drawn.doc, selectItems([section!]), 2)!;
  expect(edit.lost).toBe(listPlaces(drawn.doc).length);
  drawn.act(edit);
  expect(paint(drawn.doc, selectItems([section!]), 1)!.lost).toBeUndefined();
  drawn.undoAll();
});

test('a section around one seat is drawn no finer than the room around it', () => {
  const drawn = new Drawn();
  const options = { at: AT, origin: { x: 300, y: 200 }, rows: 1, seats: 1, categoryKey: 1 };
  const row = drawn.make(makeRowBlock(drawn.doc, options, drawn.newId));
  const [section] = drawn.make(sectionAround(drawn.doc, selectItems(row), {}, drawn.newId));
  const { points: outline = [] } = (drawn.doc.items.get(section!) as Item<'section'>).data;
  for (const place of listPlaces(drawn.doc)) expect(isInside(outline, place)).toBe(true);
  drawn.isGood();
});
