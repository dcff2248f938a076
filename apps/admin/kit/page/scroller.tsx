/** A box that scrolls; keyboards can reach it while its content overflows. */
import { useRef, type ComponentProps } from 'react';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';

interface ScrollerProps extends ComponentProps<'div'> {
  as?: 'ul' | 'aside' | 'section';
  /** Required, because the box can get the focus. */
  'aria-label': string;
}

export function Scroller({ as = 'ul', ...rest }: ScrollerProps) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(box);
  // All these tags take the same attributes.
  const Tag = as as 'div';
  return <Tag {...rest} ref={box} tabIndex={scrolls ? 0 : undefined} />;
}
