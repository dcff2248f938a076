/** What the phone knows about a reading, and the verdict of the door's rule by that. */
import {
  decideAdmission,
  type Decision,
  type Direction,
  type Reading,
} from '#server/domain/door/admission.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import { isLost } from '#server/domain/door/lost-revisions.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import {
  newestOf,
  ownerOf,
  placeIn,
  scansIn,
  scansOfGuest,
  presentOf,
  standingIn,
  type DoorList,
  type KnownScan,
  type ReadScan,
} from '#apps/scanner/list/list.ts';
import type { Place } from '#apps/scanner/list/image.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import type { Moment } from './write-scans.ts';

/** A place, and the revision of its ticket that was read. */
export type ReadPlace = Place & { revision: number };

export interface DecidedReading {
  reading: Reading;
  known: Known;
  decision: Decision;
}

/** Applies the door's rule to a reading, by all that this phone knows. */
export function decideReading(
  { device, list, event, corrected }: Omit<Moment, 'now'>,
  { reading: counted, as_read }: Pick<Recognised, 'reading' | 'as_read'>,
  { direction, override }: { direction: Direction; override: string | null },
): DecidedReading {
  // The ticket may have moved on the list since the code was read.
  const reading: Reading =
    as_read === null ? counted : { kind: 'place', ...presentOf(list, as_read) };
  const known = whatIsKnown(list, reading, as_read);
  const decision = decideAdmission(
    {
      reading,
      event: event.facts,
      ticket: known.place?.ticket ?? null,
      moved: known.left !== null,
      newest: known.newest,
      lost: known.lost,
      given: known.given,
      ended: known.ended?.why ?? null,
      last: known.last,
    },
    { now: corrected, direction, phone_id: device.phone_id, gate: device.gate, override },
  );
  return { reading, known, decision };
}

/** Everything that the phone knows about a reading. */
export interface Known {
  place: ReadPlace | null;
  /** The seat that is printed on a ticket from before its move; null: it has not moved. */
  left: string | null;
  /** Null when the list has only another revision, which says nothing about this ticket. */
  ticket: Place['ticket'];
  /** Each with the place on which it was made. */
  scans: ReadScan[];
  newest: number;
  /** True if the revision may be of a ticket that was lost when the server's data was restored. */
  lost: boolean;
  /** The place of this revision was let go and has another guest now. */
  given: boolean;
  /** How this code ended; null: it has not, or this phone does not know. */
  ended: EndedCode | null;
  last: KnownScan | null;
  first: KnownScan | null;
}

const nothing = {
  place: null,
  left: null,
  ticket: null,
  scans: [],
  newest: 0,
  lost: false,
  given: false,
  ended: null,
};

function whatIsKnown(list: DoorList, reading: Reading, as_read: PlaceCode | null): Known {
  if (reading.kind !== 'place') return { ...nothing, last: null, first: null };
  const { revision } = reading;
  const place = placeIn(list, reading.place);
  const here = scansIn(list, reading.place);
  const owner = ownerOf(list, reading);
  return {
    place: place && { ...place, revision },
    left:
      as_read === null || as_read.place === reading.place
        ? null
        : (placeIn(list, as_read.place)?.seat ?? as_read.place),
    ticket: place?.ticket?.revision === revision ? place.ticket : null,
    scans: scansBeside(
      here.map((scan) => ({ ...scan, place: reading.place })),
      scansOfGuest(list, owner, reading),
    ),
    newest: newestOf(list, place, here, reading.place),
    lost: isLost(place?.lost ?? [], revision),
    given: place?.given?.includes(revision) ?? false,
    ended: place?.ended?.find((code) => code.revision === revision) ?? null,
    ...standingIn(list, owner, reading),
  };
}

/** The scans at this place, and those of its guest at other places. */
function scansBeside(here: readonly ReadScan[], guest: readonly ReadScan[]): ReadScan[] {
  const known = new Set(here.map(({ admission_id }) => admission_id));
  return [...here, ...guest.filter(({ admission_id }) => !known.has(admission_id))];
}
