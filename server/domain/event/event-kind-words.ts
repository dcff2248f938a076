/**
 * The names of the kinds of events; in a file of their own because an event's own page does not
 * need them.
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { EventKind } from './event-kind.ts';

export const eventKindWords = withOther<Record<EventKind, string>>(
  {
    play: 'Prosa',
    music: 'Musica',
    opera: 'Opera',
    dance: 'Danza',
    comedy: 'Cabaret',
    children: 'Ragazzi',
    film: 'Cinema',
    talk: 'Incontri',
    other: 'Altro',
  },
  newerWord,
);
