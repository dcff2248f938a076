/** What words on the map must not cover: numbers, and seats of other sections. */
import type { Point } from '#server/standins/seatsio/wire.ts';
import { liesInOther } from '#apps/chart/scene/name-spot.ts';
import { emptyBox, isOutside, overlaps, widen, type Box } from '#apps/chart/scene/outline.ts';
import { hasFlag, placePoint, type SceneGroup, type SceneRow } from '#apps/chart/scene/scene.ts';
import { numberSize, numbersFrom } from './paint-seats.ts';
import { onScreen, type Picture } from './picture.ts';

/** The groups that show their seats, with their rows in the view. */
export type Shown = readonly { group: SceneGroup; rows: readonly SceneRow[] }[];

interface Near {
  spots: readonly Point[];
  /** How far words reach from their spot, in pixels. */
  reach: number;
  /** Seats of this section are no obstacle where they show no number. */
  own: SceneGroup;
}

/** Boxes on the screen. */
export function obstaclesNear(picture: Picture, shown: Shown, { spots, reach, own }: Near): Box[] {
  const { scene, camera } = picture;
  const { k } = camera;
  const area = emptyBox();
  for (const { x, y } of spots) widen(area, (x - camera.x) / k, (y - camera.y) / k, reach / k);
  const found: Box[] = [];
  for (const { group, rows } of shown) {
    const { radius } = group;
    const isOwn = group === own;
    if (isOwn && radius * k < numbersFrom(picture)) continue;
    if (!overlaps(group.box, area, radius)) continue;
    for (const row of rows) {
      if (!overlaps(row.box, area, radius)) continue;
      for (let i = row.first; i < row.first + row.count; i++) {
        const seat = placePoint(scene, i);
        if (isOutside(area, seat.x, seat.y, radius)) continue;
        const [half, up] = isOwn ? numberRoom(picture, i, radius * k) : [radius * k, radius * k];
        const { x, y } = onScreen(camera, seat);
        found.push({ left: x - half, right: x + half, top: y - up, bottom: y + up });
      }
    }
  }
  return found;
}

/** All flags with a sign; signs are nearly as large as their seat. */
const signed = 7;

/** Half the width and height of what is written on a seat. */
function numberRoom({ scene }: Picture, i: number, radius: number): [number, number] {
  if (hasFlag(scene, i, signed)) return [radius * 0.8, radius * 0.8];
  const text = scene.names[i] ?? '';
  const size = numberSize(text, radius);
  return [text.length * size * 0.31, size * 0.4];
}

/** Whether words are outside all other sections; `width` is in pixels. */
export function isOnOwnGround(
  { scene, camera }: Picture,
  { x, y, width }: Point & { width: number },
  own: SceneGroup,
): boolean {
  const at = { x: (x - camera.x) / camera.k, y: (y - camera.y) / camera.k };
  return !liesInOther(scene, own, { at, turn: 0, width: width / camera.k });
}
