/**
 * Divides a frame's time among several looks (ways to read it), so that no frame takes longer
 * than its share, even on a slow phone.
 */

/** A way to read frames: prepares a frame and returns the attempts, each of which gives texts. */
export type Look<F> = (frame: F) => readonly (() => Promise<string[]>)[];

/**
 * The time for the attempts of one frame; the next frame comes after 33 ms, and the phone has
 * other work too.
 */
export const frameMs = 16;

/**
 * Reads the frames of one film in order. Each frame gets the look `plain`, and in the time that
 * is left one or more of `others`, which take turns. Where `plain` alone uses all the time, the
 * next frame gets `quick`, and the one after that one of `others`. The look that read a code is
 * tried first on the next frame, because a code must be seen twice to count. `now`: milliseconds;
 * `began`: when the work on this frame began.
 */
export function makeFilm<F>(
  { plain, quick, others }: { plain: Look<F>; quick: Look<F>; others: readonly Look<F>[] },
  now: () => number,
): (frame: F, began: number) => Promise<string[]> {
  const looker = makeLooker<F>(now);
  const openings = [plain, quick, null];
  let opening = 0;
  let turn = 0;
  let successful: Look<F> | null = null;
  return async (frame, began) => {
    const first = successful ?? openings[opening];
    successful = null;
    opening = (opening + 1) % openings.length;
    const looks = [...others.slice(turn), ...others.slice(0, turn)].filter(
      (look) => look !== first,
    );
    let isFirst = true;
    for (const look of first ? [first, ...looks] : looks) {
      if (!isFirst && now() - began + looker.costOf(look) > frameMs) break;
      isFirst = false;
      const texts = await looker.take(look, frame, began + frameMs);
      if (texts.length > 0) {
        successful = look;
        opening = 0;
        return texts;
      }
      if (look === first) continue;
      turn = (others.indexOf(look) + 1) % others.length;
      opening = 0;
    }
    return [];
  };
}

/**
 * Runs one look at a time until its attempts or the time are used up; a look that ran out of time
 * continues with its remaining attempts at its next turn.
 */
function makeLooker<F>(now: () => number) {
  /** How long each look's preparation and first attempt take. */
  const costs = new Map<Look<F>, number>();
  // One easy frame says little about the next, so the noted cost falls slowly.
  const note = (look: Look<F>, took: number) =>
    costs.set(look, Math.max(took, 0.8 * (costs.get(look) ?? 0)));
  const tried = new Map<Look<F>, number>();
  return {
    costOf: (look: Look<F>) => costs.get(look) ?? 0,
    take: async (look: Look<F>, frame: F, end: number): Promise<string[]> => {
      const began = now();
      const attempts = look(frame);
      const left = tried.get(look) ?? 0;
      const start = left < attempts.length ? left : 0;
      tried.delete(look);
      if (attempts.length === 0) note(look, now() - began);
      for (let n = start; n < attempts.length; n += 1) {
        const attemptBegan = now();
        const texts = await attempts[n]!();
        const ended = now();
        if (n === start) note(look, ended - began);
        // The next frame begins with the attempt that succeeded.
        if (texts.length > 0) {
          tried.set(look, n);
          return texts;
        }
        if (n + 1 < attempts.length && ended + (ended - attemptBegan) > end) {
          tried.set(look, n + 1);
          return [];
        }
      }
      return [];
    },
  };
}
