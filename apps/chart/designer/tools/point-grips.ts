/** The corners of an outline as handles. */
import type { Point } from '#server/drawing/model/data.ts';
import { addPoint, movePoint, removePoint } from '#server/drawing/edit/areas.ts';
import type { Desk } from '#apps/chart/designer/canvas/desk.ts';
import { shaping, type Grip } from './shaping.ts';

/** Closer corners are left out, because they cannot be distinguished at this scale. */
const leastGap = 13;

function apart({ camera }: Desk, points: readonly Point[]): [Point, number][] {
  const kept: [Point, number][] = [];
  points.forEach((point, index) => {
    const [last] = kept.at(-1) ?? [];
    if (!last || Math.hypot(point.x - last.x, point.y - last.y) * camera.k >= leastGap)
      kept.push([point, index]);
  });
  return kept;
}

/** Handles on the corners, and between them handles from which a new corner can be dragged. */
export function pointGrips(
  desk: Desk,
  id: string,
  { points, isOpen }: { points: readonly Point[]; isOpen: boolean },
): Grip[] {
  const corners = apart(desk, points).map(([point, index]): Grip => ({
    ...point,
    look: 'square',
    cursor: 'move',
    take: () =>
      shaping(desk, (spot) => ({
        edit: movePoint(desk.studio.state.doc, id, index, desk.snap(spot)),
      })),
    double: () => removePoint(desk.studio.state.doc, id, index),
  }));
  const between = points.flatMap((point, index): Grip[] => {
    const next = points[(index + 1) % points.length] ?? point;
    const isShort = Math.hypot(next.x - point.x, next.y - point.y) * desk.camera.k < 40;
    if (isShort || (isOpen && index === points.length - 1)) return [];
    return [
      {
        x: (point.x + next.x) / 2,
        y: (point.y + next.y) / 2,
        look: 'hollow',
        cursor: 'copy',
        take: () =>
          shaping(desk, (spot) => ({
            edit: addPoint(desk.studio.state.doc, id, index, desk.snap(spot)),
          })),
      },
    ];
  });
  return [...between, ...corners];
}
