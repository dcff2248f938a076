/**
 * Tools for objects with an outline: areas, sections, shapes. Drawn point by point, or as a
 * rectangle with one drag.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { makeArea, makeEllipse } from '#server/drawing/edit/areas.ts';
import { makeShape } from '#server/drawing/edit/decor.ts';
import { makeSection } from '#server/drawing/edit/sections.ts';
import type { Desk, Hand } from '#apps/chart/designer/canvas/desk.ts';
import { lengthIn, distance, placeOf } from './place.ts';
import { makePoints, oppositeOf, type Points, rectangle } from './points.ts';

function outlineHand(desk: Desk, make: (points: Points) => Edit | null): Hand {
  return makePoints(desk, {
    least: 3,
    most: Infinity,
    closed: true,
    corners: rectangle,
    make: (points) => (points.length < 3 ? null : make(points)),
    note(points) {
      const [from, to] = [points.at(-2) ?? points[0], points.at(-1) ?? points[1]];
      return lengthIn(desk.studio.state.doc, distance(from, to));
    },
  });
}

export function areaHand(desk: Desk): Hand {
  return outlineHand(desk, (points) =>
    makeArea(desk.studio.state.doc, { ...placeOf(desk), points }, desk.newId),
  );
}

/** Objects inside the outline become part of the section. */
export function sectionHand(desk: Desk): Hand {
  return outlineHand(desk, (points) => {
    const { doc, floor } = desk.studio.state;
    const { categoryKey } = placeOf(desk);
    return makeSection(doc, { floor, points, categoryKey, take: true }, desk.newId);
  });
}

export function shapeHand(desk: Desk): Hand {
  return outlineHand(desk, (points) =>
    makeShape(
      desk.studio.state.doc,
      { at: placeOf(desk).at, type: 'polygon', points: [...points] },
      desk.newId,
    ),
  );
}

export function ellipseHand(desk: Desk): Hand {
  const make = (center: Point, radius1: number, radius2: number) =>
    makeEllipse(desk.studio.state.doc, { ...placeOf(desk), center, radius1, radius2 }, desk.newId);
  return makePoints(desk, {
    least: 2,
    most: 2,
    corners: rectangle,
    single: (at) => make(at, 80, 50),
    make(points) {
      const [from, to] = [points[0], oppositeOf(points)];
      const center = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      const [radius1, radius2] = [Math.abs(to.x - from.x) / 2, Math.abs(to.y - from.y) / 2];
      return make(center, Math.max(5, radius1), Math.max(5, radius2));
    },
  });
}
