/** Italian words for an event's state and its sale, for texts outside the screens. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { EventStatus, SalesState } from './event.ts';

export const eventStatusNames = withOther<Record<EventStatus, string>>(
  {
    draft: 'bozza',
    published: 'pubblicato',
    cancelled: 'annullato',
  },
  newerWord,
);

export const salesStateNames: Record<SalesState, string> = {
  not_yet: 'non ancora aperte',
  open: 'aperte',
  paused: 'sospese',
  closed: 'chiuse',
  cancelled: 'annullate',
};
