/** A box that may hold more than it shows: then the keyboard stops at it and scrolls it. */
import { useRef, type ComponentProps } from 'react';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';

interface ScrollerProps extends ComponentProps<'div'> {
  as?: 'ul' | 'aside' | 'section';
  /** It has to be named to be a stop. */
  'aria-label': string;
}

export function Scroller({ as = 'ul', ...rest }: ScrollerProps) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(box);
  // The tags differ in meaning only: all take the same attributes.
  const Tag = as as 'div';
  return <Tag {...rest} ref={box} tabIndex={scrolls ? 0 : undefined} />;
}
