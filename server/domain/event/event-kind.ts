/** The kinds of events, for the order of a programme and for search engines. */
import { withOther } from '#server/domain/text/newer-word.ts';

export const eventKinds = [
  'play',
  'music',
  'opera',
  'dance',
  'comedy',
  'children',
  'film',
  'talk',
  'other',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** The type at schema.org; a kind without one has the type of all events. */
export const schemaTypes = withOther<Record<EventKind, string>>(
  {
    play: 'TheaterEvent',
    music: 'MusicEvent',
    opera: 'TheaterEvent',
    dance: 'DanceEvent',
    comedy: 'ComedyEvent',
    children: 'ChildrensEvent',
    film: 'ScreeningEvent',
    talk: 'Event',
    other: 'Event',
  },
  'Event',
);
