/**
 * Looks for codes of other ticket systems in the camera's frames: never while a QR code is in view,
 * and only in one frame of several.
 */
import { readForeign, type ForeignRead } from './engine.ts';
import { halve, type Grey } from './grey.ts';

/** The search starts only after this long without a QR code. */
const quietMs = 500;
/** The pause after a look is this many times the look's duration, within these bounds. */
const shareOfTime = 6;
const pauseMs = { least: 100, most: 400 };

type ForeignLook = (picture: Grey) => Promise<ForeignRead | null>;

/** They take turns; the one that found a code is tried first the next time. */
const looks: readonly ForeignLook[] = [
  (grey) => readForeign(grey, ['Code128', 'ITF'], {}),
  (grey) => readForeign(grey, ['Aztec'], { tryRotate: false }),
  (grey) => readForeign(grey, ['PDF417'], {}),
  (grey) => readForeign(halve(grey), ['DataMatrix', 'Aztec'], {}),
  (grey) => readForeign(grey, ['DataMatrix'], {}),
];

/** After this many looks each kind of code has been searched for in each way. */
export const foreignLooks = looks.length;

/** `now`: milliseconds. */
export function makeForeignLooks(now: () => number) {
  const costs = looks.map(() => 0);
  let turn = 0;
  let quietSince = now();
  let restsUntil = 0;
  return {
    /** The time that the next look needs in this frame; null while no look is due. */
    costOfDue: (began: number): number | null =>
      began - quietSince < quietMs || began < restsUntil ? null : costs[turn]!,
    /** Called when a QR code is in view. */
    seeQr: (): void => {
      quietSince = now();
    },
    async take(picture: Grey): Promise<ForeignRead | null> {
      const began = now();
      const found = await looks[turn]!(picture);
      const took = now() - began;
      costs[turn] = took;
      const pause = Math.max(pauseMs.least, Math.min(pauseMs.most, shareOfTime * took));
      restsUntil = began + took + pause;
      if (found === null) turn = (turn + 1) % looks.length;
      return found;
    },
  };
}
