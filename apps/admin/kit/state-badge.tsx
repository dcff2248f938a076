/** A state as a badge, whose tone and icon say the same as its word. */
import { Badge } from '#apps/shared/ui/badge.tsx';
import type { StateWords } from './words.ts';

export function StateBadge({ word, tone, icon }: StateWords) {
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
