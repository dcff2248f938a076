/** Tells whether an element's content is larger than the element. */
import { useEffect, useState, type RefObject } from 'react';
import { requireValue } from '#server/domain/require-value.ts';

/** Starts as true, so that a long text does not jump and keyboards can reach it. */
export function useOverflow(element: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(true);
  useEffect(() => {
    const watched = requireValue(element.current, 'element');
    const observer = new ResizeObserver(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = watched;
      setOverflows(scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1);
    });
    // A box at its full height does not change its size with new content, so children count too.
    for (const part of [watched, ...watched.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [element]);
  return overflows;
}
