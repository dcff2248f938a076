/** What our chart.js and the seats.io stand-in say to each other: types only, the one file that both may see. */

/**
 * The public calls, all under the folder that chart.js was loaded from; a browser never holds a secret key.
 * Errors have the seats.io body `{status, errors:[{code, message, data?}], messages, warnings, requestId}`.
 *
 * GET  system/public/:workspaceKey/rendering-info?event_key=K         -> RenderingInfo
 * POST system/public/:workspaceKey/hold-tokens                        -> HoldTokenInfo
 * GET  system/public/:workspaceKey/hold-tokens/:token?event_key=K     -> HoldTokenInfo with what this token holds on the event
 * POST system/public/:workspaceKey/events/:eventKey/actions/hold      HoldRequest -> HoldAnswer
 * POST system/public/:workspaceKey/events/:eventKey/actions/release   HoldRequest -> HoldAnswer
 * GET  system/public/:workspaceKey/events/:eventKey/stream?since=N    -> text/event-stream of StatusMessage
 */
export interface RenderingInfo {
  event: { key: string; name?: string; isInThePast: boolean };
  chart: WireChart;
  /** Every object that is not plainly free and for sale; absent means free. */
  statuses: WireStatus[];
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
  sections: WireSection[];
  /** Rows and tables, each with its seats in physical order. */
  rows: WireRow[];
  areas: WireArea[];
  booths: WireBooth[];
  shapes: WireShape[];
  texts: WireText[];
}

export interface Point { x: number; y: number }

export interface WireCategory { key: string; label: string; color: string; accessible: boolean }

export interface WireSection {
  label: string;
  displayLabel: string;
  /** The outline, absolute. */
  points: Point[];
  entrance?: string;
  zone?: string;
}

/** `section`, `category` are indexes into WireChart.sections / categories; -1 means none. */
export interface WireRow {
  type: 'row' | 'table';
  section: number;
  label: string;
  displayLabel: string;
  /** What such a row is called where it is read aloud, e.g. `Palco`; absent means the language's word for a row or table. */
  displayObjectType?: string;
  /** Tables only: the table top. */
  center?: Point;
  radius?: number;
  bookAsAWhole?: boolean;
  seats: {
    /** Technical labels of the last part, so that the object is `[section-]row-seat`. */
    labels: string[];
    /** Present only where it differs from labels. */
    displayLabels?: string[];
    /** Tenths of a unit: the first is absolute, each following one relative to the one before. */
    x: number[];
    y: number[];
    categories: number[];
    /** Bit set per seat: see SEAT_FLAGS. Left out when all are 0. */
    flags?: number[];
    /** Index i is listed when an aisle lies between seat i and seat i + 1 (they are no neighbours). */
    gapsAfter?: number[];
  };
}

/** 1 accessible, 2 companion seat, 4 restricted view, 8 lift-up armrest, 16 hearing impaired, 32 semi-ambulatory, 64 sign language, 128 plus size */
export type SeatFlags = number;

/** A standing area, sold by number of places. */
export interface WireArea {
  section: number;
  label: string;
  displayLabel: string;
  category: number;
  capacity: number;
  /** Either an ellipse or a polygon, absolute. */
  shape: { type: 'circle'; center: Point; radius1: number; radius2: number; rotationAngle: number } | { type: 'polygon'; points: Point[] };
  bookAsAWhole?: boolean;
}

export interface WireBooth { section: number; label: string; displayLabel: string; category: number; center: Point; width: number; height: number; rotationAngle: number }

export interface WireShape {
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

export interface WireText { text: string; center: Point; size: number; rotationAngle: number; color?: string }

/**
 * One object's state. `free | booked | reservedByToken | resale` or a custom string.
 * `mine` is never sent: a browser learns what it holds from its own token's answer.
 */
export interface WireStatus {
  label: string;
  status: string;
  forSale?: false;
  /** Standing areas: places taken by booking and by holds. */
  numBooked?: number;
  numHeld?: number;
}

/** A server-sent event's data. `resync` tells the page to fetch rendering-info again. */
export type StatusMessage = { sequence: number; changes: WireStatus[] } | { resync: true };

export interface HoldTokenInfo {
  holdToken: string;
  expiresAt: string;
  expiresInSeconds: number;
  workspaceKey: string;
  objects?: HeldObject[];
}

export interface HeldObject { objectId: string; quantity: number; ticketType?: string }

export interface HoldRequest {
  holdToken: string;
  objects: { objectId: string; quantity?: number; ticketType?: string }[];
}

/** All or nothing; on success the new state of the objects named and what the token now holds. */
export interface HoldAnswer { statuses: WireStatus[]; objects: HeldObject[] }
