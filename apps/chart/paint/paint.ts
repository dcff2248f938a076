/**
 * Paints one picture of the chart: blocks in the far view, seats with their signs in the near
 * one; a state is never shown by colour alone.
 */
import { isBlock, nameBlocks, paintBlock } from './paint-block.ts';
import { nameOpen } from './paint-names.ts';
import { paintFloor, paintOther, paintShape, paintTable } from './paint-floor.ts';
import { paintSeats } from './paint-seats.ts';
import { write } from './pen.ts';
import { type Picture, toDrawing, toScreen } from './picture.ts';
import { overlaps } from '#apps/chart/scene/outline.ts';
import { translate } from '#apps/chart/words.ts';

/** Smaller texts are left out; slightly larger ones are enlarged until they are legible. */
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
      overlaps(group.box, seen) &&
      !(group.section >= 0 && look.summaryOf(group).hidden),
  );
  const blocks = visible.filter((group) => isBlock(group, picture));
  const open = visible.filter((group) => !isBlock(group, picture));
  for (const group of open) paintFloor(context, picture, group);
  for (const shape of scene.chart.shapes)
    if ((shape.floor ?? 0) === floor) paintShape(context, picture, shape);
  for (const group of blocks) paintBlock(context, picture, group);
  for (const group of visible) for (const i of group.others) paintOther(context, picture, i);
  const shown = open.map((group) => ({
    group,
    rows: group.rows.filter((row) => overlaps(row.box, seen, group.radius)),
  }));
  for (const { group, rows } of shown) {
    for (const row of rows) if (row.table) paintTable(context, picture, row);
    paintSeats(context, picture, { group, rows });
  }
  if (picture.small) return;
  toScreen(context, picture);
  const cramped = nameBlocks(context, picture, blocks);
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
  nameOpen(context, picture, { shown, cramped, seen });
}
