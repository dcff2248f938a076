/** Everything under the drawing: the paper, the grid, the traced picture. */
import type { Doc } from '#server/drawing/model/data.ts';
import { widen, type Box } from '#apps/chart/scene/outline.ts';
import { inDrawingUnits, inPagePixels, type Picture } from './picture.ts';

/** The least distance of grid lines on the screen; when closer, only each fifth is drawn. */
const leastGap = 9;

export function paintBackdrop(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { doc, floor, gridStep }: { doc: Doc; floor: string; gridStep: number | null },
): void {
  const { camera, look } = picture;
  inPagePixels(context, picture);
  context.fillStyle = look.paper;
  context.fillRect(0, 0, camera.width, camera.height);
  paintTraced(context, picture, doc.floors.find(({ id }) => id === floor)?.data.backgroundImage);
  if (gridStep) paintGrid(context, picture, gridStep);
}

interface Traced {
  href?: unknown;
  x?: unknown;
  y?: unknown;
  width?: unknown;
  height?: unknown;
  opacity?: unknown;
  rotationAngle?: unknown;
  x_hidden?: unknown;
}

/** The box around the drawing and the traced picture; the picture's rotation is ignored. */
export function withTraced(drawn: Box, doc: Doc, floor: string): Box {
  const box = { ...drawn };
  const traced: Traced | null | undefined = doc.floors.find(({ id }) => id === floor)?.data
    .backgroundImage;
  if (typeof traced?.href !== 'string' || traced.x_hidden === true) return box;
  const { x = 0, y = 0, width, height } = traced;
  if (![x, y, width, height].every((value) => typeof value === 'number')) return box;
  const [left, top] = [Number(x), Number(y)];
  widen(box, left, top);
  widen(box, left + Number(width), top + Number(height));
  return box;
}

function paintTraced(
  context: CanvasRenderingContext2D,
  picture: Picture,
  traced: Traced | null | undefined,
): void {
  if (typeof traced?.href !== 'string' || traced.x_hidden === true) return;
  const image = picture.pictures.of(traced.href);
  if (!image) return;
  const number = (value: unknown, otherwise: number) =>
    typeof value === 'number' ? value : otherwise;
  const [wide, high] = [
    number(traced.width, image.naturalWidth),
    number(traced.height, image.naturalHeight),
  ];
  inDrawingUnits(context, picture);
  context.save();
  context.globalAlpha = number(traced.opacity, 0.5);
  context.translate(number(traced.x, 0) + wide / 2, number(traced.y, 0) + high / 2);
  context.rotate((number(traced.rotationAngle, 0) * Math.PI) / 180);
  context.drawImage(image, -wide / 2, -high / 2, wide, high);
  context.restore();
  inPagePixels(context, picture);
}

/** Thin lines, and a stronger one for each fifth. */
function paintGrid(
  context: CanvasRenderingContext2D,
  { camera, look }: Picture,
  gridStep: number,
): void {
  let step = gridStep;
  while (step * camera.k < leastGap) step *= 5;
  const { left, top, right, bottom } = camera.view;
  for (const [every, strong] of [
    [step, false],
    [step * 5, true],
  ] as const) {
    context.beginPath();
    for (let x = Math.ceil(left / every) * every; x <= right; x += every) {
      const sx = Math.round(x * camera.k + camera.x) + 0.5;
      context.moveTo(sx, 0);
      context.lineTo(sx, camera.height);
    }
    for (let y = Math.ceil(top / every) * every; y <= bottom; y += every) {
      const sy = Math.round(y * camera.k + camera.y) + 0.5;
      context.moveTo(0, sy);
      context.lineTo(camera.width, sy);
    }
    context.strokeStyle = look.grid;
    context.lineWidth = strong ? 1.5 : 0.75;
    context.stroke();
  }
}
