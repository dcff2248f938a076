/** A state as a badge: a word, with a tone and an icon of the same meaning. */
import { Badge } from '#apps/shared/ui/badge.tsx';
import type { StateWords } from './words.ts';

export function StateBadge({ word, tone, icon }: StateWords) {
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
