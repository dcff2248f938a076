/** Acts whose mails wait for a minute: which there are, and what goes back with each. */
import { timeFields } from '#server/domain/event/event-times.ts';
import { withOther } from '#server/domain/text/newer-word.ts';

/** Acts about an event that mail many people, and can be taken back for a minute (RULES N4). */
export const announcedActs = [
  'event_saved',
  'show_changed',
  'event_postponed',
  'event_cancelled',
  'orders_transferred',
  'names_asked',
  'sale_open',
] as const;
export type AnnouncedAct = (typeof announcedActs)[number];

/** Whether the act stands once a buyer has bought or answered; others can still go back then. */
export const standsOnceMet = withOther<Record<AnnouncedAct, boolean>>(
  {
    event_saved: true,
    show_changed: true,
    event_postponed: true,
    event_cancelled: true,
    orders_transferred: false,
    names_asked: false,
    sale_open: true,
  },
  true,
);

/**
 * `waiting`: the act can be taken back. `going`: its mails leave. `taken_back`: none of its mails
 * has left.
 */
export const announcementStates = ['waiting', 'going', 'taken_back'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

/** An announcement is shown for this long after its act. */
export const announcementShownMs = 10 * 60_000;

/** The columns of an event that go back when a change of its date or place is taken back. */
export const movingFields = [
  ...timeFields,
  'postponed_from',
  'venue_title',
  'venue_href',
  'venue_address',
  'status',
  'cancelled_at',
  'names_due',
] as const;
export type MovingField = (typeof movingFields)[number];

type Value = string | number | null;
/** What an act changed, by column. */
export type Moved = Partial<Record<MovingField, { from: Value; to: Value }>>;

/** Those of the columns above that differ. */
export function movedBetween(
  before: Readonly<Partial<Record<MovingField, Value>>>,
  after: Readonly<Partial<Record<MovingField, Value>>>,
): Moved {
  const fields = movingFields.filter(
    (field) => after[field] !== undefined && after[field] !== before[field],
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  );
}

/** True if none of these columns has changed since. */
export function isAsMoved(
  now: Readonly<Partial<Record<MovingField, Value>>>,
  moved: Moved,
): boolean {
  return movingFields.every((field) => {
    const change = moved[field];
    return change === undefined || now[field] === change.to;
  });
}

/** The values from before the act. */
export function valuesBefore(moved: Moved): Partial<Record<MovingField, Value>> {
  return Object.fromEntries(Object.entries(moved).map(([field, { from }]) => [field, from]));
}

interface Course {
  begins_at: number;
  begun_at: number | null;
  withdrawn_at: number | null;
}

export function announcementState(row: Course, now: number): AnnouncementState {
  if (row.withdrawn_at !== null) return 'taken_back';
  return row.begun_at === null && row.begins_at > now ? 'waiting' : 'going';
}
