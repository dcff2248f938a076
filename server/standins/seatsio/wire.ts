/**
 * The messages between our chart.js and the seats.io stand-in: types only, in the one file that
 * both may import.
 */

/**
 * The public calls, all under the folder from which chart.js was loaded; a browser never has a
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
 * On rendering-info and stream, `&channels=k1,k2` (each key encoded by itself) names the channels
 * from which this browser may choose.
 */
export interface RenderingInfo {
  event: { key: string; name?: string; isInThePast: boolean };
  chart: WireChart;
  /** All objects that are taken or not for sale, grouped by state; every other object is free. */
  statuses: WireStatusGroup[];
  /** The number of the last change in it; the stream continues after this number. */
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
  /** Present if there are at least two; the floors share their coordinates. */
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
  /** The outline, in absolute coordinates. */
  points: Point[];
  entrance?: string;
  zone?: string;
}

/**
 * `section`, `category`, `floor` are indexes into WireChart.sections / categories / floors; -1
 * means none. Objects in a section are on its floor.
 */
export interface WireRow {
  type: 'row' | 'table';
  section: number;
  floor?: number;
  label: string;
  /** Present only if it differs from `label`. */
  displayLabel?: string;
  /**
   * The word for such a row when it is read aloud, e.g. `Palco`; if absent, the language's word
   * for a row or table.
   */
  displayObjectType?: string;
  /** The map does not show the name. */
  hidesLabel?: true;
  /** Tables only: the table top. */
  center?: Point;
  radius?: number;
  /** The corners of a rectangular table, or the walls of a box, whose radius is 0. */
  corners?: Point[];
  bookAsAWhole?: boolean;
  seats: WireSeats;
}

/** Seats in physical order. */
export interface WireSeats {
  /** The last part of the technical labels; the object is `[section-]row-seat`. */
  labels: WireLabels;
  /** Present only if it differs from `labels`. */
  displayLabels?: WireLabels;
  /** Where the seats are, as consecutive stretches whose counts add up to the number of seats. */
  runs: WireRun[];
  /** One index for all seats, or pairs of an index and the number of seats with it. */
  categories: number | number[];
  /**
   * Pairs of a seat's index and the sum of its flags; all other seats have 0. 1 accessible, 2
   * companion seat, 4 restricted view, 8 lift-up armrest, 16 hearing impaired, 32
   * semi-ambulatory, 64 sign language, 128 plus size.
   */
  flags?: number[];
  /** Index i is listed if an aisle lies between seats i and i + 1, which are not neighbours. */
  gapsAfter?: number[];
}

/** Whole numbers in steps starting at `from`, or the labels themselves. */
export type WireLabels = string[] | { from: number; step: number };

/**
 * Seats at equal distances, in tenths of a unit (fractions allowed, at most one tenth off). line:
 * x and y of the first seat, then the step. arc: x and y of the centre, the radius, the first
 * seat's angle and the step in radians, where 0 points right and angles grow downwards. steps: x
 * and y of the first seat, then two numbers for each further seat, relative to the one before.
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
  /** Either an ellipse or a polygon, in absolute coordinates. */
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
 * One object's state: `free | booked | reservedByToken | resale` or a custom status. `mine` is
 * never sent, because a browser reads what it holds in its own token's answer.
 */
export interface WireState {
  status: string;
  forSale?: false;
  /** True if it is in a channel whose key this browser did not name. */
  locked?: true;
  /** Its channel, if this browser named it. */
  channel?: string;
  /** Standing areas: how many places are booked or not for sale, and how many are held. */
  numBooked?: number;
  numHeld?: number;
}

export interface WireStatus extends WireState {
  label: string;
}

export interface WireStatusGroup extends WireState {
  labels: string[];
}

/** The data of a server-sent event. `resync` tells the page to fetch rendering-info again. */
export type StatusMessage =
  | { sequence: number; changes: WireStatus[] }
  | { resync: true }
  /** There are too many listeners: the stream ends, and the page asks again after this time. */
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
  /** Further events of a group on one chart: an object is held on all of them or on none. */
  events?: string[];
}

/** All or nothing: the new states of the named objects, and all that the token now holds. */
export interface HoldAnswer {
  statuses: WireStatus[];
  objects: HeldObject[];
}

export interface BestAvailableRequest {
  /** Only for `hold-best-available`. */
  holdToken?: string;
  number: number;
  categories?: string[];
  zone?: string;
  sections?: string[];
  accessibleSeats?: number;
  /** One for each place found, in the same order. */
  ticketTypes?: string[];
  channels?: string[];
  /** Labels that the browser has chosen but not held. */
  except?: string[];
  /** True if the number counts people; a table sold as one must then seat them all. */
  people?: boolean;
}

/**
 * `chosen`: the places found, in row order; if there are none, the answer is 400
 * BEST_AVAILABLE_OBJECTS_NOT_FOUND. `statuses` and `objects` are empty if nothing was held.
 */
export interface BestAvailableAnswer extends HoldAnswer {
  chosen: HeldObject[];
  nextToEachOther?: boolean;
}

/**
 * The designer's calls under `charts/:chartKey/`. They need a secret key, or the token of an
 * office page in its place; a shop never makes them.
 *
 * GET  designer                            -> DesignerChart
 * GET  designer/drawing?version=V          -> the drawing as it was sent, its version as ETag;
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
 * A call that changes a drawing names in If-Match the version that it started from. Without it
 * the answer is 428 VERSION_REQUIRED; if another version is current, 409 DRAWING_CHANGED with
 * DesignerConflict. A drawing may be sent as gzip. `X-Designer-Name`, encoded as in an address,
 * is the name of the person who draws.
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
  /** How many events the chart has, and how many objects are taken on its coming events. */
  events: number;
  taken: number;
}

/**
 * `version` is now the current one: the draft, or the published drawing if there is no draft.
 * `savedAt` is null if the time is unknown.
 */
export interface DesignerSaved {
  version: number;
  savedAt: string | null;
}

/** The drawing that another person has saved in the meantime. */
export interface DesignerConflict extends DesignerSaved {
  isDraft: boolean;
  savedBy: string | null;
}

export interface DesignerPublished {
  publishedVersion: number;
}

/** A version that is or was published. */
export interface DesignerVersion {
  version: number;
  name: string;
  publishedAt: string | null;
  publishedBy: string | null;
  isPublished: boolean;
  places: number;
}

/** Why a drawing is not published: these taken places would be lost, and `more` unlisted ones. */
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

/** All objects that are taken on the chart's coming events; `event` is an index into `events`. */
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

/** Each open designer reports every 15 seconds; after 40 seconds of silence it is removed. */
export interface DesignerHere {
  /** A name that the designer made for itself. */
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
