/**
 * An event as an iCalendar file (RFC 5545). The UID of an order stays the same, so that a newer
 * file replaces an older one.
 */
import { ICalAlarmType, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

interface CalendarFacts {
  /** The same for the same event and order. */
  uid: string;
  /**
   * Grows with every change that buyers are told of; calendars keep the entry with the highest.
   */
  sequence: number;
  title: string;
  starts_at: number;
  venue: string;
  description: string;
  url: string;
  cancelled: boolean;
  written_at: number;
  organiser: { name: string; email: string };
}

/** We do not store when an event ends, so an entry lasts two hours. */
const lengthMs = 2 * 3_600_000;
/** The reminder comes three hours before, in time to leave home. */
const alarmSeconds = 3 * 3_600;

/** Times are in UTC, so the file needs no description of a time zone. */
export function makeCalendar({
  uid,
  sequence,
  title,
  starts_at,
  venue,
  description,
  url,
  cancelled,
  written_at,
  organiser,
}: CalendarFacts): string {
  const calendar = new ICalCalendar({
    prodId: { company: 'Botteghino', product: 'Biglietti', language: 'IT' },
    method: cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: uid,
    sequence,
    summary: title,
    start: new Date(starts_at),
    end: new Date(starts_at + lengthMs),
    stamp: new Date(written_at),
    location: venue,
    description,
    url,
    organizer: organiser,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    ...(cancelled
      ? {}
      : { alarms: [{ type: ICalAlarmType.display, trigger: alarmSeconds, description: title }] }),
  });
  return calendar.toString();
}

interface ProgrammeEntry extends Omit<CalendarFacts, 'organiser' | 'written_at'> {
  ends_at: number | null;
}

/** A calendar for subscribers; their programs fetch it hourly and drop entries that left it. */
export function makeProgramme(
  name: string,
  entries: readonly ProgrammeEntry[],
  written_at: number,
): string {
  const calendar = new ICalCalendar({
    prodId: { company: 'Botteghino', product: 'Programma', language: 'IT' },
    method: ICalCalendarMethod.PUBLISH,
    name,
    timezone: 'Europe/Rome',
    ttl: 3_600,
  });
  for (const { uid, sequence, title, starts_at, ends_at, venue, ...entry } of entries)
    calendar.createEvent({
      id: uid,
      sequence,
      summary: title,
      start: new Date(starts_at),
      end: new Date(ends_at ?? starts_at + lengthMs),
      timezone: 'UTC',
      stamp: new Date(written_at),
      location: venue,
      description: entry.description,
      url: entry.url,
      status: entry.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  return calendar.toString();
}
