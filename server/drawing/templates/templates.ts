/** The typical rooms with which a new chart may begin; the five halls are charts of their own. */
import type { Raw } from '#server/drawing/model/open.ts';
import { makeCabaret, makeChurch, makeSquare } from './grounds.ts';
import type { NewId } from './parts.ts';
import { makeArena, makeSportsHall } from './rings.ts';
import { makeBlackBox, makeCinema, makeItalianTheatre } from './theatres.ts';

interface Template {
  readonly key: string;
  /** The name in the list of templates. */
  readonly name: string;
  readonly make: (newId: NewId) => Raw;
}

export const TEMPLATES: readonly Template[] = [
  { key: 'teatro-italiana', name: 'Teatro all’italiana', make: makeItalianTheatre },
  { key: 'black-box', name: 'Black box', make: makeBlackBox },
  { key: 'tavoli', name: 'Parterre con tavoli', make: makeCabaret },
  { key: 'palasport', name: 'Palasport', make: makeSportsHall },
  { key: 'arena', name: 'Arena', make: makeArena },
  { key: 'chiesa', name: 'Chiesa', make: makeChurch },
  { key: 'cinema', name: 'Cinema', make: makeCinema },
  { key: 'piazza', name: 'Piazza', make: makeSquare },
];
