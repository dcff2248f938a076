/** Whether an element holds more than it shows. */
import { useEffect, useState, type RefObject } from 'react';
import { requireValue } from '#server/domain/require-value.ts';

/** True at first, so that a long text does not jump and can be reached by keyboard. */
export function useOverflow(element: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(true);
  useEffect(() => {
    const watched = requireValue(element.current, 'element');
    const observer = new ResizeObserver(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = watched;
      setOverflows(scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1);
    });
    // A box that is as high as it may be does not grow with what comes into it later.
    for (const part of [watched, ...watched.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [element]);
  return overflows;
}
