/** What the canvas keeps of a drawing: only what changed is worked out again, and what lies where is found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Camera } from '#apps/chart/designer/canvas/scene/camera.ts';
import { figureOf, isOn } from '#apps/chart/designer/canvas/scene/figure.ts';
import { moveGuide, guidesOf } from '#apps/chart/designer/canvas/scene/guides.ts';
import { hitAt, objectsIn, rectangleOf, seatsIn } from '#apps/chart/designer/canvas/scene/hit.ts';
import { Scene } from '#apps/chart/designer/canvas/scene/scene.ts';
import { stepFor } from '#apps/chart/designer/canvas/paint/rulers.ts';
import { addTo, takeFrom } from '#apps/chart/designer/tools/pick.ts';
import {
  invertSelected,
  selectAll,
  selectSame,
  selectSimilar,
} from '#apps/chart/designer/tools/similar.ts';
import { Studio } from '#apps/chart/designer/state/studio.ts';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { addFloor, moveToFloor } from '#server/drawing/edit/floors.ts';
import { moveSelection } from '#server/drawing/edit/transform.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { applyEdit, invertEdit } from '#server/drawing/model/edit.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import { seatsOf, selectItems } from '#server/drawing/model/selection.ts';
import { drawSheet } from './sheet.ts';

const charts = join(import.meta.dirname, '../../server/standins/seatsio/charts');
const goldoni = openDrawing(JSON.parse(readFileSync(join(charts, 'teatro-goldoni.json'), 'utf8')));
const sheet = openDrawing(drawSheet());

function sceneOf(doc = sheet): Scene {
  const scene = new Scene();
  scene.show(doc, doc.floors[0]!.id);
  return scene;
}

test('of a stadium in which one row was moved, that row alone is worked out again', () => {
  const doc = openDrawing(drawStadium({ seats: 10_000, sections: 20 }));
  const scene = sceneOf(doc);
  const before = new Map(scene.entries.map((entry) => [entry.item.id, entry]));
  const row = [...doc.items.values()].find(({ kind }) => kind === 'row')!;
  const edit = moveSelection(doc, selectItems([row.id]), { dx: 5, dy: 0 })!;
  expect(scene.show(applyEdit(doc, edit), doc.floors[0]!.id)).toBe(true);
  const other = scene.entries.filter((entry) => before.get(entry.item.id) !== entry);
  expect(other.map(({ item }) => item.id)).toEqual([row.id]);
  expect(other[0]!.x[0]! - before.get(row.id)!.x[0]!).toBeCloseTo(5, 1);
  expect(scene.show(applyEdit(applyEdit(doc, edit), invertEdit(edit)), doc.floors[0]!.id)).toBe(
    true,
  );
});

test('every seat of a hall is found where it stands, whatever lies below it', () => {
  const scene = sceneOf(goldoni);
  let seats = 0;
  for (const entry of scene.entries)
    for (let at = 0; at < entry.x.length; at++) {
      const found = hitAt(scene, { x: entry.x[at]!, y: entry.y[at]! }, { reach: 2, section: null });
      expect(found?.entry.item.id).toBe(entry.item.id);
      expect(found?.seat).toBe(at);
      seats += 1;
    }
  expect(seats).toBeGreaterThan(500);
});

test('a region takes objects it touches and seats it holds; a section with all that stands in it', () => {
  const scene = sceneOf();
  const half = rectangleOf({ x: 90, y: 90 }, { x: 150, y: 145 });
  expect([...objectsIn(scene, half, null).items]).toEqual(['A', 'B']);
  expect([...seatsIn(scene, half, null).seats.get('A')!]).toEqual([0, 1, 2]);
  const all = rectangleOf({ x: 0, y: 0 }, { x: 900, y: 900 });
  expect([...objectsIn(scene, all, null).items].toSorted()).toEqual([
    'A',
    'B',
    'C',
    'D',
    'section',
  ]);
  expect([...objectsIn(scene, all, 'section').items]).toEqual(['G']);
  scene.select(selectItems(['section']));
  expect(scene.selected.map(({ item }) => item.id).toSorted()).toEqual(['G', 'section']);
});

test('hidden objects are not there, and a category’s colour is told by its place in the list', () => {
  const [section, row] = ['section', 'A'].map((id) => sheet.items.get(id)!);
  const hidden = new Map(sheet.items).set('section', {
    ...section!,
    data: { ...section!.data, x_hidden: true },
  } as Item);
  const scene = sceneOf({ ...sheet, items: hidden });
  expect(scene.entryOf('G')).toBeUndefined();
  expect(scene.entryOf(row!.id)!.tint[0]).toBe(0);
  expect(sceneOf().entryOf('G')!.tint[0]).toBe(2);
});

test('turned boxes and ellipses are hit where they are drawn', () => {
  const booth = {
    id: 'b',
    kind: 'booth',
    floor: 'floor-0',
    section: null,
    data: { center: { x: 0, y: 0 }, width: 100, height: 20, rotationAngle: 90 },
  } as const;
  const figure = figureOf(booth, { x: 10, y: 0 })!;
  expect(isOn(figure, 10, 45, 0)).toBe(true);
  expect(isOn(figure, 55, 0, 0)).toBe(false);
});

test('the camera scales around the pointer and shows a box whole', () => {
  const camera = new Camera();
  camera.resize(1000, 800);
  camera.fit({ left: 0, top: 0, right: 2000, bottom: 1000 });
  const { view } = camera;
  expect(view.left).toBeLessThan(0);
  expect(view.right).toBeGreaterThan(2000);
  const before = camera.toWorld(300, 200);
  camera.zoom(2, 300, 200);
  expect(camera.toWorld(300, 200).x).toBeCloseTo(before.x);
  expect([stepFor(0.3), stepFor(7), stepFor(64)]).toEqual([0.5, 10, 100]);
});

test('a selection grows, shrinks and is turned round; alike is what has the kind, the seats and the colours', () => {
  const one = { items: new Set<string>(), seats: new Map([['A', new Set([0, 1])]]) };
  const rest = {
    items: new Set<string>(),
    seats: new Map([['A', new Set([2, 3, 4, 5, 6, 7, 8, 9])]]),
  };
  expect([...addTo(sheet, one, rest).items]).toEqual(['A']);
  expect([...takeFrom(sheet, selectItems(['A', 'B']), one).seats.get('A')!]).toHaveLength(8);
  const { state } = new Studio(sheet);
  expect([...selectAll(state).items].toSorted()).toEqual(['A', 'B', 'C', 'D', 'section']);
  const selected = { ...state, selection: one };
  expect([...invertSelected(selected).seats.get('A')!]).toHaveLength(8);
  expect([...invertSelected(selected).items].toSorted()).toEqual(['B', 'C', 'D', 'section']);
  expect([...selectSimilar(selected).items]).toEqual(['A', 'B', 'C', 'D']);
  expect([...selectSame(selected, 'category').items]).toEqual(['A', 'B', 'C', 'D']);
  expect([...selectSame({ ...state, selection: selectItems(['G']) }, 'section').items]).toEqual([
    'G',
  ]);
  expect(seatsOf(sheet.items.get('A'))).toHaveLength(10);
});

test('a selection ends with its floor: what is not seen cannot be deleted', () => {
  const studio = new Studio(sheet);
  studio.act(addFloor(sheet, { name: 'Galleria' }, () => 'gallery'));
  const [ground, gallery] = studio.state.doc.floors.map(({ id }) => id);
  const chosen = () => [...studio.state.selection.items];
  studio.act(moveToFloor(studio.state.doc, selectItems(['A']), gallery!), selectItems(['A', 'B']));
  expect(chosen()).toEqual(['B']);
  studio.set({ floor: gallery! });
  expect(chosen()).toEqual([]);
  studio.set({ selection: selectItems(['A', 'B']) });
  expect(chosen()).toEqual(['A']);
  studio.undo();
  expect(chosen()).toEqual([]);
  studio.set({ floor: ground!, selection: selectItems(['A', 'B']) });
  expect(chosen()).toEqual(['A', 'B']);
});

test('a guide is laid, moved and taken away, and leaves the rest of the floor as it was', () => {
  const [floor] = sheet.floors;
  const laid = applyEdit(sheet, moveGuide(sheet, floor!.id, { axis: 'x', from: null, to: 120 })!);
  expect(guidesOf(laid.floors[0])).toEqual({ x: [120], y: [] });
  const moved = applyEdit(laid, moveGuide(laid, floor!.id, { axis: 'x', from: 120, to: null })!);
  expect(guidesOf(moved.floors[0])).toEqual({ x: [], y: [] });
  expect(saveDrawing(sheet)).toEqual(saveDrawing(openDrawing(drawSheet())));
});
