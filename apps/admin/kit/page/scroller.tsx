/** A box that scrolls, and then can be reached by keyboard. */
import { useRef, type ComponentProps } from 'react';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';

interface ScrollerProps extends ComponentProps<'div'> {
  as?: 'ul' | 'aside' | 'section';
  /** Required for a box in the tab order. */
  'aria-label': string;
}

export function Scroller({ as = 'ul', ...rest }: ScrollerProps) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(box);
  // The tags differ in meaning only: all take the same attributes.
  const Tag = as as 'div';
  return <Tag {...rest} ref={box} tabIndex={scrolls ? 0 : undefined} />;
}
