/** One picture of the chart: blocks from afar, seats with their signs near by; a state never shows by colour alone. */
import { isBlock, nameBlocks, paintBlock } from './paint-block.ts';
import { paintFloor, paintOther, paintShape, paintTable } from './paint-floor.ts';
import { paintSeats } from './paint-seats.ts';
import { write } from './pen.ts';
import { type Picture, toDrawing, toScreen } from './picture.ts';
import type { Box } from '#apps/chart/scene/outline.ts';
import type { SceneGroup } from '#apps/chart/scene/scene.ts';
import { translate } from '#apps/chart/page/words.ts';
import { marksOf } from '#apps/chart/scene/spacing.ts';

const rowNamesFrom = 6;
/** Smaller than this a text is left out; what is a little larger is lifted to what can be read. */
const leastText = 6;

export function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  const { scene, camera, width, height, look, floor } = picture;
  toScreen(context, picture);
  context.fillStyle = look.theme.background;
  context.fillRect(0, 0, width, height);
  toDrawing(context, picture);
  const seen = {
    left: -camera.x / camera.k,
    top: -camera.y / camera.k,
    right: (width - camera.x) / camera.k,
    bottom: (height - camera.y) / camera.k,
  };
  const visible = scene.groups.filter(
    (group) =>
      group.floor === floor &&
      isSeen(group.box, seen, 0) &&
      !(group.section >= 0 && look.summaryOf(group).hidden),
  );
  const blocks = visible.filter((group) => isBlock(group, picture));
  const open = visible.filter((group) => !isBlock(group, picture));
  for (const group of open) paintFloor(context, picture, group);
  for (const shape of scene.chart.shapes)
    if ((shape.floor ?? 0) === floor) paintShape(context, picture, shape);
  for (const group of blocks) paintBlock(context, picture, group);
  for (const group of visible) for (const i of group.others) paintOther(context, picture, i);
  for (const group of open) {
    const rows = group.rows.filter((row) => isSeen(row.box, seen, group.radius));
    for (const row of rows) if (row.table) paintTable(context, picture, row);
    paintSeats(context, picture, { group, rows });
  }
  if (picture.small) return;
  toScreen(context, picture);
  nameBlocks(context, picture, blocks);
  for (const group of open) nameRows(context, picture, { group, seen });
  for (const { text, center, size, rotationAngle, floor: where = 0 } of scene.chart.texts) {
    const pixels = size * camera.k;
    if (where === floor && pixels >= leastText)
      write(context, camera, {
        text: translate(text),
        at: center,
        size: Math.max(8, Math.min(40, pixels)),
        color: look.theme.muted,
        turn: rotationAngle,
      });
  }
}

function isSeen(box: Box, seen: Box, by: number): boolean {
  return (
    box.right >= seen.left - by &&
    box.left <= seen.right + by &&
    box.bottom >= seen.top - by &&
    box.top <= seen.bottom + by
  );
}

function nameRows(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { group, seen }: { group: SceneGroup; seen: Box },
): void {
  const radius = group.radius * picture.camera.k;
  if (radius < rowNamesFrom) return;
  const size = Math.min(15, radius * 1.15);
  for (const row of group.rows) {
    if (!isSeen(row.box, seen, group.radius * 4)) continue;
    for (const at of marksOf(picture.scene, group, row))
      write(context, picture.camera, { text: row.name, at, size, color: picture.look.theme.muted });
  }
}
