/** Guides: lines that a person puts on the floor, stored in the drawing under our own key. */
import type { Doc, Floor } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import type { Camera } from './camera.ts';
import type { Look } from '#apps/chart/designer/canvas/paint/look.ts';

export interface Guides {
  /** The positions of vertical ones. */
  x: readonly number[];
  y: readonly number[];
}

const none: Guides = { x: [], y: [] };

function numbersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one): one is number => Number.isFinite(one)) : [];
}

export function guidesOf(floor: Floor | undefined): Guides {
  const held = floor?.data.x_guides;
  if (typeof held !== 'object' || held === null) return none;
  const { x, y } = held as Record<'x' | 'y', unknown>;
  return { x: numbersIn(x), y: numbersIn(y) };
}

/** Moves a guide, adds one (`from` null) or removes one (`to` null). */
export function moveGuide(
  doc: Doc,
  floorId: string,
  { axis, from, to }: { axis: 'x' | 'y'; from: number | null; to: number | null },
): Edit | null {
  const draft = new EditDraft(doc);
  const floors = doc.floors.map((floor) => {
    if (floor.id !== floorId) return floor;
    const guides = guidesOf(floor);
    const at = to === null ? [] : [Math.round(to * 100) / 100];
    const known = guides[axis].indexOf(from ?? NaN);
    const line = known < 0 ? [...guides[axis], ...at] : guides[axis].toSpliced(known, 1, ...at);
    return { ...floor, data: { ...floor.data, x_guides: { ...guides, [axis]: line } } };
  });
  draft.set('floors', floors);
  return draft.finish('guides');
}

export function paintGuides(
  context: CanvasRenderingContext2D,
  { camera, look }: { camera: Camera; look: Look },
  { x, y }: Guides,
): void {
  if (x.length + y.length === 0) return;
  context.beginPath();
  for (const at of x) {
    const sx = Math.round(at * camera.k + camera.x) + 0.5;
    context.moveTo(sx, 0);
    context.lineTo(sx, camera.height);
  }
  for (const at of y) {
    const sy = Math.round(at * camera.k + camera.y) + 0.5;
    context.moveTo(0, sy);
    context.lineTo(camera.width, sy);
  }
  context.strokeStyle = look.accent;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.setLineDash([6, 3]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}
