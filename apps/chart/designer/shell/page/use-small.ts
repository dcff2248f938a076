/** Whether there is room to draw: a phone shows the chart but is too small for drawing. */
import { useLayoutEffect, useState, type RefObject } from 'react';
import type { Studio } from '#apps/chart/designer/state/studio.ts';

/** Pixels of the designer's own width. */
const least = 600;

export function useSmall(frame: RefObject<HTMLElement | null>, studio: Studio): boolean {
  const [isSmall, setSmall] = useState(false);
  useLayoutEffect(() => {
    const { readOnly } = studio.state;
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      const isNow = element.clientWidth < least;
      setSmall(isNow);
      if (studio.state.readOnly !== (readOnly || isNow))
        studio.set({ readOnly: readOnly || isNow });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      studio.set({ readOnly });
    };
  }, [frame, studio]);
  return isSmall;
}
