/** The traced picture: its place on the floor, and its edits. */
import type { Doc, FloorData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';

/** Stored as `backgroundImage` of a floor, as seats.io names it; in units of the drawing. */
export interface Traced {
  href: string;
  x: number;
  y: number;
  width: number;
  height: number;
  opacity: number;
  rotationAngle: number;
  x_hidden?: boolean;
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

export function tracedOf(data: FloorData | undefined): Traced | null {
  const traced = data?.backgroundImage;
  if (!traced || typeof traced.href !== 'string') return null;
  return {
    ...traced,
    href: traced.href,
    x: numberOf(traced.x, 0),
    y: numberOf(traced.y, 0),
    width: numberOf(traced.width, 1000),
    height: numberOf(traced.height, 700),
    opacity: numberOf(traced.opacity, 0.5),
    rotationAngle: numberOf(traced.rotationAngle, 0),
    x_hidden: traced.x_hidden === true,
  };
}

export function setTraced(doc: Doc, floor: string, traced: Traced | null): Edit | null {
  const draft = new EditDraft(doc);
  draft.set(
    'floors',
    doc.floors.map((one) =>
      one.id === floor
        ? { ...one, data: { ...one.data, backgroundImage: traced ? { ...traced } : null } }
        : one,
    ),
  );
  return draft.finish('trace');
}
