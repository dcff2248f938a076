/** A slow computation about a drawing, run when the drawing has not changed for a while. */
import { useEffect, useState } from 'react';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import type { Doc } from '#server/drawing/model/data.ts';

const pause = 400;

/**
 * `value` is null at first; `isLate` while the drawing has changed since the last computation.
 * `compute` must stay the same function.
 */
export function useLate<T>(studio: Studio, compute: (doc: Doc) => T) {
  const doc = useStudio(studio, (state) => state.doc);
  const [known, setKnown] = useState<{ doc: Doc; value: T } | null>(null);
  useEffect(() => {
    const timer = setTimeout(
      () => setKnown({ doc, value: compute(doc) }),
      known === null ? 0 : pause,
    );
    return () => clearTimeout(timer);
    // `known` only decides how long to wait, so its change starts nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [doc, compute]);
  return { value: known?.value ?? null, isLate: known?.doc !== doc };
}
