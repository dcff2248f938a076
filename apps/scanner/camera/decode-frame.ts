/**
 * Reads the QR codes in a picture's pixels. A look is one way to prepare the picture. One look
 * reads nine codes of ten, and each other look reads some of the rest; so a still picture is
 * tried with all looks, and a frame of a film with as many as its time allows.
 */
import { fewestPixels, read, type EngineOptions, type ForeignRead } from './engine.ts';
import { makeFilm, type Look } from './film.ts';
import { makeForeignLooks } from './foreign-looks.ts';
import { mendFinders } from './finders.ts';
import {
  enlarge,
  flatten,
  halve,
  isOpaque,
  layOn,
  middleOf,
  sharpen,
  soften,
  squeeze,
  thicken,
  toGrey,
  type Grey,
  type Pixels,
} from './grey.ts';

const fine: EngineOptions = { tryDownscale: false };
const denoise: EngineOptions = { tryDenoise: true };

/** A look that prepares the picture in this way and then reads it. */
function lookAt(prepare: (picture: Grey) => Grey, options: EngineOptions = {}): Look<Grey> {
  return (picture) => [() => read(prepare(picture), options)];
}

const plain = lookAt((grey) => grey);
const globally = lookAt((grey) => grey, { binarizer: 'GlobalHistogram' });
const denoised = lookAt((grey) => grey, denoise);
const halved = lookAt(halve, denoise);
const softened = lookAt((grey) => soften(halve(grey)));
const thickenedHalf = lookAt((grey) => thicken(halve(grey)), denoise);
const flattenedHalf = lookAt((grey) => flatten(halve(grey), { far: 12, gain: 3 }), denoise);
/** Finds codes that lack one finder pattern. */
const mended: Look<Grey> = (grey) => mendFinders(grey).map((draw) => () => read(draw(), fine));
const mendedHalf: Look<Grey> = (grey) => mended(halve(grey));
/** Finds codes tilted sideways, backwards, or towards a corner. */
const squeezed: Look<Grey> = (grey) =>
  [0, 2, 1, 3].map((n) => () => read(squeeze(grey, (n * Math.PI) / 4), {}));

/** The fastest and most successful looks come first, because most pictures need only one. */
const stillLooks: readonly Look<Grey>[] = [
  plain,
  globally,
  mended,
  halved,
  softened,
  flattenedHalf,
  thickenedHalf,
  squeezed,
  mendedHalf,
  lookAt(thicken, fine),
  lookAt((grey) => flatten(grey, { far: 24, gain: 2 }), fine),
  lookAt(sharpen, fine),
  denoised,
  lookAt(enlarge, fine),
];
/** Frames repeat the same code, so the slow looks use only the middle of the frame. */
const filmLooks: readonly Look<Grey>[] = [
  halved,
  mended,
  globally,
  softened,
  flattenedHalf,
  thickenedHalf,
  squeezed,
  denoised,
  lookAt((grey) => sharpen(middleOf(grey)), fine),
  mendedHalf,
  lookAt((grey) => enlarge(middleOf(grey)), fine),
];

/** After this many frames each look has been tried, even on the slowest phone. */
export const filmLength = 3 * filmLooks.length;

/** A still picture is first scaled down to at most this many pixels along its longer side. */
const longestSide = 1_920;
/** The second attempt uses at most this many pixels along that side; more would take seconds. */
const finestSide = 4_096;

/**
 * All codes in a still picture, nearest to the middle first; empty when there is none. A
 * transparent picture is tried on white and then on black, because its code may contrast with
 * either. The engine must be started before.
 */
export async function decodeStill(pixels: Pixels): Promise<string[]> {
  const sheets = isOpaque(pixels)
    ? [() => pixels]
    : [255, 0].map((level) => () => layOn(pixels, level));
  for (const lay of sheets) {
    const found = await decodeSheet(lay());
    if (found.length > 0) return found;
  }
  return [];
}

async function decodeSheet(pixels: Pixels): Promise<string[]> {
  const side = Math.max(pixels.width, pixels.height);
  const step = Math.max(1, Math.ceil(side / longestSide));
  const found = await lookThrough(toGrey(pixels, step), stillLooks);
  if (found.length > 0 || step === 1) return found;
  return lookThrough(toGrey(pixels, Math.ceil(side / finestSide)), [plain, globally]);
}

async function lookThrough(picture: Grey, looks: readonly Look<Grey>[]): Promise<string[]> {
  if (isTooSmall(picture)) return [];
  for (const look of looks) {
    for (const attempt of look(picture)) {
      const found = await attempt();
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** `foreign`: a code of another ticket system, looked for only where there is no QR code. */
export interface FilmReading {
  texts: string[];
  foreign: ForeignRead | null;
}

/**
 * Makes a function that reads the frames of one film in their order, each with as many looks as a
 * frame's time allows. `now`: milliseconds.
 */
export function makeFilmReader(
  now: () => number = () => performance.now(),
): (pixels: Pixels) => Promise<FilmReading> {
  const readFrame = makeFilm({ plain, quick: halved, others: filmLooks }, now);
  const foreign = makeForeignLooks(now);
  return async (pixels) => {
    const began = now();
    if (isTooSmall(pixels)) return { texts: [], foreign: null };
    const grey = toGrey(pixels);
    const cost = foreign.costOfDue(began);
    // The time for codes of other systems is taken from this frame's later looks for QR codes.
    const texts = await readFrame(grey, began - (cost ?? 0));
    if (texts.length > 0) foreign.seeQr();
    const isDue = texts.length === 0 && cost !== null;
    return { texts, foreign: isDue ? await foreign.take(grey) : null };
  };
}

function isTooSmall({ width, height }: { width: number; height: number }): boolean {
  return width < fewestPixels || height < fewestPixels;
}
