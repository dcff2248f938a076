/**
 * Turns figures of places into colours, from a deep blue for the best to a yellow for the worst,
 * which people with any colour blindness can distinguish.
 */
import type { Heat } from '#apps/chart/designer/canvas/paint/picture.ts';
import type { Overlay } from '#apps/chart/designer/state/studio.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Place } from '#server/drawing/model/places.ts';
import { bestOrder } from '#server/drawing/quality/best.ts';
import { sightLines, viewsOf } from '#server/drawing/quality/view.ts';

const STOPS = [
  [18, 67, 148],
  [42, 140, 167],
  [150, 196, 125],
  [250, 206, 62],
] as const;

/** `share`: from 0 for the best to 1 for the worst. */
export function rampColour(share: number): string {
  const at = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
  const stop = Math.min(STOPS.length - 2, Math.floor(at));
  const [from, to] = [STOPS[stop] ?? STOPS[0], STOPS[stop + 1] ?? STOPS[0]];
  const channels = from.map((value, axis) =>
    Math.round(value + ((to[axis] ?? 0) - value) * (at - stop))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`;
}

interface Scale {
  readonly values: readonly { readonly place: Place; readonly value: number }[];
  /** The values at the two ends of the ramp: the best and the worst. */
  readonly best: number;
  readonly worst: number;
}

/**
 * Centimetres of view above the head in front: from `CLEAR` up the view is best, below `HIDDEN`
 * it is blocked.
 */
const CLEAR = 12;
const HIDDEN = 0;

function scaleOf(values: Scale['values'], ends?: [best: number, worst: number]): Scale | null {
  if (values.length === 0) return null;
  const [best, worst] =
    ends ??
    values.reduce<[number, number]>(
      ([low, high], { value }) => [Math.min(low, value), Math.max(high, value)],
      [Infinity, -Infinity],
    );
  return { values, best, worst };
}

export type Measured = Extract<Overlay, 'distance' | 'angle' | 'best' | 'sight'>;

/** Null where the drawing lacks a focal point or heights. */
export function measure(doc: Doc, overlay: Measured): Scale | null {
  if (overlay === 'best') {
    const order = bestOrder(doc);
    return scaleOf(order.map((place, index) => ({ place, value: index + 1 })));
  }
  if (overlay === 'sight') {
    const sights = sightLines(doc);
    return scaleOf(
      sights.map(({ place, clearance }) => ({ place, value: clearance })),
      [CLEAR, HIDDEN],
    );
  }
  return scaleOf(viewsOf(doc).map((view) => ({ place: view.place, value: view[overlay] })));
}

/** The colours for the canvas; a place without a value is grey. */
export function heatOf(doc: Doc, overlay: Measured): Heat | null {
  const scale = measure(doc, overlay);
  if (!scale) return null;
  const span = scale.worst - scale.best || 1;
  const colours = new Map<string, Map<number | null, string>>();
  for (const { place, value } of scale.values) {
    const known = colours.get(place.item) ?? new Map<number | null, string>();
    colours.set(place.item, known.set(place.seat, rampColour((value - scale.best) / span)));
  }
  return (id, seat) => colours.get(id)?.get(seat) ?? null;
}
