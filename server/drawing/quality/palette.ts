/**
 * The colours of a drawing's categories: which of them some eyes confuse, and a new one that
 * differs for all.
 */
import type { Doc } from '#server/drawing/model/data.ts';
import {
  apart,
  contrastBetween,
  EYES,
  labOf,
  luminanceOf,
  rgbOf,
  type Eyes,
  type Rgb,
} from './colors.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** Two dots apart from each other look alike below this distance in Lab. */
const ALIKE = 11;
/** The required contrast of drawn objects other than text. */
export const ENOUGH_CONTRAST = 3;
/** The luminance of a light and of a dark page. */
const PAGES = { light: 1, dark: luminanceOf([18, 21, 27]) };

export interface Colour {
  readonly key: string;
  readonly label: string;
  /** The colour as the drawing writes it. */
  readonly color: string;
  /** Null if the colour cannot be read. */
  readonly rgb: Rgb | null;
  readonly contrast: { readonly light: number; readonly dark: number } | null;
}

export function coloursOf(doc: Doc): Colour[] {
  return doc.categories.map(({ key, label, color }) => {
    const rgb = rgbOf(color);
    const own = rgb && luminanceOf(rgb);
    return {
      key: String(key),
      label,
      color: typeof color === 'string' ? color : '',
      rgb,
      contrast:
        own === null
          ? null
          : {
              light: contrastBetween(own, PAGES.light),
              dark: contrastBetween(own, PAGES.dark),
            },
    };
  });
}

/** Two categories that some kinds of eyes confuse. */
interface Confusion {
  readonly one: Colour;
  readonly other: Colour;
  readonly eyes: readonly Eyes[];
}

export function confusionsOf(colours: readonly Colour[]): Confusion[] {
  const seen = colours.flatMap((colour) => {
    const { rgb } = colour;
    return rgb ? [{ colour, labs: EYES.map((eyes) => labOf(rgb, eyes)) }] : [];
  });
  return seen.flatMap((one, index) =>
    seen.slice(index + 1).flatMap((other) => {
      const eyes = EYES.filter(
        (_, eye) => apart(entryAt(one.labs, eye), entryAt(other.labs, eye)) < ALIKE,
      );
      return eyes.length > 0 ? [{ one: one.colour, other: other.colour, eyes }] : [];
    }),
  );
}

function* candidates(): Iterable<Rgb> {
  const steps = [0x20, 0x50, 0x80, 0xb0, 0xe0];
  for (const r of steps) for (const g of steps) for (const b of steps) yield [r, g, b];
}

/**
 * The colour with the greatest distance to all others, for the eyes that see the least
 * difference; it is visible on both pages.
 */
export function freshColour(colours: readonly Colour[]): string {
  const taken = colours.flatMap(({ rgb }) => (rgb ? [EYES.map((eyes) => labOf(rgb, eyes))] : []));
  let [best, most] = ['#4f8ef7', -1];
  for (const rgb of candidates()) {
    const own = luminanceOf(rgb);
    if (Object.values(PAGES).some((page) => contrastBetween(own, page) < ENOUGH_CONTRAST)) continue;
    const labs = EYES.map((eyes) => labOf(rgb, eyes));
    const least = Math.min(
      100,
      ...taken.flatMap((other) => other.map((lab, eye) => apart(lab, entryAt(labs, eye)))),
    );
    // Among colours of the same distance the most vivid one wins.
    const vivid = Math.hypot(entryAt(labs, 0)[1], entryAt(labs, 0)[2]) / 1000;
    if (least + vivid <= most) continue;
    most = least + vivid;
    best = `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  }
  return best;
}
