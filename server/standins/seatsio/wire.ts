/**
 * What our chart.js and the seats.io stand-in say to each other: types only, the one file that
 * both may see.
 */

/**
 * The public calls, all under the folder that chart.js was loaded from; a browser never holds a
 * secret key. Errors have the seats.io body
 * `{status, errors:[{code, message, data?}], messages, warnings, requestId}`.
 *
 * Under `system/public/:workspaceKey/`:
 *
 * GET  rendering-info?event_key=K          -> RenderingInfo
 * POST hold-tokens                         -> HoldTokenInfo
 * GET  hold-tokens/:token?event_key=K      -> HoldTokenInfo with what the token holds on the event
 *
 * Under `system/public/:workspaceKey/events/:eventKey/`:
 *
 * POST actions/hold                        HoldRequest -> HoldAnswer
 * POST actions/release                     HoldRequest -> HoldAnswer
 * POST actions/hold-best-available         BestAvailableRequest, holdToken -> BestAvailableAnswer
 * POST actions/find-best-available         BestAvailableRequest -> BestAvailableAnswer, no hold
 * GET  stream?since=N                      -> text/event-stream of StatusMessage
 *
 * `&channels=k1,k2` (each key encoded by itself) on rendering-info and stream names the channels
 * that this browser may choose from.
 */
export interface RenderingInfo {
  event: { key: string; name?: string; isInThePast: boolean };
  chart: WireChart;
  /** All objects that are not free and for sale, grouped by state; a missing one is free. */
  statuses: WireStatusGroup[];
  /** The stream continues after this sequence number. */
  sequence: number;
  holdPeriodInMinutes: number;
}

/** A drawing flattened for a renderer: absolute coordinates in tenths of a drawing unit. */
export interface WireChart {
  key: string;
  name: string;
  version: number;
  width: number;
  height: number;
  focalPoint: Point | null;
  categories: WireCategory[];
  /** Present when there are two or more; each is a drawing of its own in the same coordinates. */
  floors?: { name: string; displayName: string }[];
  /** Left out when the drawing has none. */
  zones?: { key: string; label: string }[];
  sections: WireSection[];
  /** Rows and tables, each with its seats in physical order. */
  rows: WireRow[];
  areas: WireArea[];
  booths: WireBooth[];
  shapes: WireShape[];
  texts: WireText[];
}

export interface Point {
  x: number;
  y: number;
}

export interface WireCategory {
  key: string;
  label: string;
  color: string;
  accessible: boolean;
}

interface WireSection {
  label: string;
  displayLabel: string;
  floor?: number;
  /** The outline, absolute. */
  points: Point[];
  entrance?: string;
  zone?: string;
}

/**
 * `section`, `category`, `floor` are indexes into WireChart.sections / categories / floors; -1
 * means none. What stands in a section is on its floor.
 */
export interface WireRow {
  type: 'row' | 'table';
  section: number;
  floor?: number;
  label: string;
  /** Present only where it differs from label. */
  displayLabel?: string;
  /**
   * The word for such a row where it is read aloud, e.g. `Palco`; absent means the language's
   * word for a row or table.
   */
  displayObjectType?: string;
  /** The map does not show its name. */
  hidesLabel?: true;
  /** Tables only: the table top. */
  center?: Point;
  radius?: number;
  /** Of a rectangular table, or the walls of a box, whose radius is 0. */
  corners?: Point[];
  bookAsAWhole?: boolean;
  seats: WireSeats;
}

/** Seats in physical order. */
export interface WireSeats {
  /** Technical labels of the last part, so that the object is `[section-]row-seat`. */
  labels: WireLabels;
  /** Present only where it differs from labels. */
  displayLabels?: WireLabels;
  /** Where they stand, one stretch after the other; the counts add up to the number of seats. */
  runs: WireRun[];
  /** One index for all, or pairs: an index and for how many seats it holds. */
  categories: number | number[];
  /**
   * Pairs of a seat's index and the sum of its marks; all others are 0. 1 accessible, 2 companion
   * seat, 4 restricted view, 8 lift-up armrest, 16 hearing impaired, 32 semi-ambulatory, 64 sign
   * language, 128 plus size.
   */
  flags?: number[];
  /**
   * Index i is listed when an aisle lies between seat i and seat i + 1 (they are no neighbours).
   */
  gapsAfter?: number[];
}

/** Whole numbers from `from` in steps, or the labels themselves. */
export type WireLabels = string[] | { from: number; step: number };

/**
 * Seats at equal distances, in tenths of a unit (fractions allowed, at most one tenth off). line:
 * x and y of the first, then the step. arc: x and y of the centre, radius, the first seat's angle
 * and the step in radians, 0 to the right and growing downwards. steps: x and y of the first,
 * then two numbers for each following one, relative to the one before.
 */
export type WireRun =
  | { count: number; line: [number, number, number, number] }
  | { count: number; arc: [number, number, number, number, number] }
  | { count: number; steps: number[] };

/** A standing area, sold by number of places. */
interface WireArea {
  section: number;
  floor?: number;
  label: string;
  displayLabel: string;
  category: number;
  capacity: number;
  /** Either an ellipse or a polygon, absolute. */
  shape:
    | { type: 'circle'; center: Point; radius1: number; radius2: number; rotationAngle: number }
    | { type: 'polygon'; points: Point[] };
  bookAsAWhole?: boolean;
}

interface WireBooth {
  section: number;
  floor?: number;
  label: string;
  displayLabel: string;
  category: number;
  center: Point;
  width: number;
  height: number;
  rotationAngle: number;
}

export interface WireShape {
  floor?: number;
  type: 'rectangle' | 'ellipse' | 'polygon';
  smartType?: string;
  label?: string;
  points?: Point[];
  center?: Point;
  width?: number;
  height?: number;
  rotationAngle?: number;
  cornerRadius?: number;
  fillColor?: string;
}

interface WireText {
  floor?: number;
  text: string;
  center: Point;
  size: number;
  rotationAngle: number;
  color?: string;
}

/**
 * One object's state. `free | booked | reservedByToken | resale` or a custom string.
 * `mine` is never sent: a browser learns what it holds from its own token's answer.
 */
export interface WireState {
  status: string;
  forSale?: false;
  /** It belongs to a channel whose key this browser did not name. */
  locked?: true;
  /** The named channel that it belongs to. */
  channel?: string;
  /**
   * Standing areas: places taken by booking (those that may not be sold count too) and by holds.
   */
  numBooked?: number;
  numHeld?: number;
}

export interface WireStatus extends WireState {
  label: string;
}

export interface WireStatusGroup extends WireState {
  labels: string[];
}

/** A server-sent event's data. `resync` tells the page to fetch rendering-info again. */
export type StatusMessage =
  | { sequence: number; changes: WireStatus[] }
  | { resync: true }
  /**
   * There are too many listeners: the stream ends here, and the page asks again after this time.
   */
  | { poll_ms: number };

export interface HoldTokenInfo {
  holdToken: string;
  expiresAt: string;
  expiresInSeconds: number;
  workspaceKey: string;
  objects?: HeldObject[];
}

export interface HeldObject {
  objectId: string;
  quantity: number;
  ticketType?: string;
}

export interface HoldRequest {
  holdToken: string;
  objects: { objectId: string; quantity?: number; ticketType?: string }[];
  channels?: string[];
  /**
   * Further events of a group on the same chart: what is held on one is held on all, or on none.
   */
  events?: string[];
}

/** All or nothing; on success the new state of the objects named and what the token now holds. */
export interface HoldAnswer {
  statuses: WireStatus[];
  objects: HeldObject[];
}

export interface BestAvailableRequest {
  /** Only where it is held. */
  holdToken?: string;
  number: number;
  categories?: string[];
  zone?: string;
  sections?: string[];
  accessibleSeats?: number;
  /** One for each place, in the order of the places found. */
  ticketTypes?: string[];
  channels?: string[];
  /** Labels that the browser has chosen already without holding them. */
  except?: string[];
  /** The number counts people; a table that is sold as one must seat them all. */
  people?: boolean;
}

/**
 * `chosen`: what was found, in row order. Nothing found is 400 BEST_AVAILABLE_OBJECTS_NOT_FOUND.
 * `statuses` and `objects` are empty where nothing was held.
 */
export interface BestAvailableAnswer extends HoldAnswer {
  chosen: HeldObject[];
  nextToEachOther?: boolean;
}

/**
 * The designer's calls, by a secret key (an office page holds a token in its place, a shop never
 * calls them), under `charts/:chartKey/`:
 *
 * GET  designer                            -> DesignerChart
 * GET  designer/drawing?version=V          -> the drawing letter by letter, its version as ETag;
 *                                             V: `current`, `published` or a number
 * POST designer/drawing?tab=T              drawing -> DesignerSaved
 * POST designer/actions/publish            -> DesignerPublished; 400 DRAWING_REFUSED,
 *                                             OBJECTS_NOT_FREE with DesignerRefused
 * POST designer/actions/discard            -> DesignerSaved
 * POST designer/actions/restore            {version} -> DesignerSaved
 * POST designer/actions/save-copy?name=    drawing -> {key} of a new chart
 * GET  designer/versions                   -> {items: DesignerVersion[]}
 * GET  designer/taken                      -> DesignerTaken
 * POST designer/presence                   DesignerHere -> DesignerPresence
 *
 * A call that changes a drawing says in If-Match which version it started from: without it 428
 * VERSION_REQUIRED; 409 DRAWING_CHANGED with DesignerConflict where another is current. A drawing
 * may come as gzip. `X-Designer-Name`, encoded as in an address, names the person who draws.
 */
export interface DesignerChart extends DesignerSaved {
  key: string;
  name: string;
  archived: boolean;
  isDraft: boolean;
  publishedVersion: number;
  publishedAt: string | null;
  publishedBy: string | null;
  savedBy: string | null;
  /**
   * How many events are on the chart, and how many objects are taken on those that are not past.
   */
  events: number;
  taken: number;
}

/**
 * `version` is current from now on: the draft, or the published drawing where there is none.
 * Null: the time is unknown.
 */
export interface DesignerSaved {
  version: number;
  savedAt: string | null;
}

/** The drawing that came in between. */
export interface DesignerConflict extends DesignerSaved {
  isDraft: boolean;
  savedBy: string | null;
}

export interface DesignerPublished {
  publishedVersion: number;
}

/** Published now or before. */
export interface DesignerVersion {
  version: number;
  name: string;
  publishedAt: string | null;
  publishedBy: string | null;
  isPublished: boolean;
  places: number;
}

/**
 * Why a drawing is not published: these places are taken and would be lost. `more`: how many are
 * not named.
 */
export interface DesignerRefused {
  /** Labels by event key. */
  objects: Record<string, string[]>;
  refused: DesignerRefusedPlace[];
  more: number;
}

export interface DesignerRefusedPlace {
  label: string;
  event: DesignerEvent;
  status: string;
  orderId: string | null;
  why: 'removed' | 'relabelled' | 'retyped' | 'shrunk';
}

interface DesignerEvent {
  key: string;
  name: string | null;
}

/** All taken objects on events of the chart; `event` is an index into `events`. */
export interface DesignerTaken {
  events: DesignerEvent[];
  objects: {
    label: string;
    event: number;
    status: string;
    orderId: string | null;
    places: number;
  }[];
}

/** One open designer reports that it is there, every 15 seconds; after 40 it is forgotten. */
export interface DesignerHere {
  /** It made this name for itself. */
  tab: string;
  isEditing: boolean;
  leaves?: boolean;
}

export interface DesignerPresence {
  people: { name: string | null; isYou: boolean; isEditing: boolean; since: string }[];
  version: number;
  isDraft: boolean;
  publishedVersion: number;
  savedBy: string | null;
}
