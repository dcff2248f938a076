/**
 * Paints the drawing layer by layer; in each layer the objects, then all seats together, then the
 * texts.
 */
import { overlaps } from '#apps/chart/scene/outline.ts';
import type { Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import { paintObject } from './objects.ts';
import { paintRowNames, paintRowSeats } from './seats.ts';
import { paintWords } from './words.ts';
import { hasSeatsIn, isPart, inDrawingUnits, inPagePixels, type Picture } from './picture.ts';

const faint = 0.22;

/** `entries` in painting order. */
export function paintEntries(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entries: readonly Entry[],
): void {
  const { section, part } = picture;
  const { view } = picture.camera;
  const seen = entries.filter(
    (entry) => overlaps(entry.box, view) && (isPart(entry, part) || hasSeatsIn(entry, part)),
  );
  if (section === null) return paintLayers(context, picture, seen);
  const isIn = ({ item }: Entry) => item.section === section || item.id === section;
  const outside = seen.filter((entry) => !isIn(entry));
  const inside = seen.filter((entry) => isIn(entry));
  context.globalAlpha = faint;
  paintLayers(context, { ...picture, labels: false }, outside);
  context.globalAlpha = 1;
  paintLayers(context, picture, inside);
}

function layerOf({ item }: Entry): number {
  return item.data.x_layer ?? 0;
}

function paintLayers(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entries: readonly Entry[],
): void {
  const layers = new Set(entries.map(layerOf));
  for (const layer of layers)
    paintLayer(
      context,
      picture,
      layers.size === 1 ? entries : entries.filter((entry) => layerOf(entry) === layer),
    );
}

function paintLayer(
  context: CanvasRenderingContext2D,
  picture: Picture,
  entries: readonly Entry[],
): void {
  const { part } = picture;
  const own = entries.filter((entry) => isPart(entry, part));
  inDrawingUnits(context, picture);
  for (const entry of own) if (entry.figure) paintObject(context, picture, entry);
  paintRowSeats(
    context,
    picture,
    entries.filter((entry) => hasSeatsIn(entry, part)),
  );
  inPagePixels(context, picture);
  for (const entry of own) if (entry.figure) paintWords(context, picture, entry);
  if (picture.labels) paintRowNames(context, picture, own);
}
