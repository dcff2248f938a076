/**
 * Reminders of a sale that opens: how long an address may stay unconfirmed, and what happens to
 * confirmed ones (RULES O14).
 */
import { salesStateOf, type EventStatus } from '#server/domain/event/event.ts';

/** A link in a confirmation mail is valid for two days. */
export const confirmWithinMs = 48 * 3_600_000;

interface EventFacts {
  status: EventStatus;
  starts_at: number;
  sales_opens_at: number | null;
  sales_closes_at: number | null;
}

/**
 * wait: the sale is not open yet, or the event is a draft again. tell: the sale is open. forget:
 * the event is cancelled or over.
 */
type ReminderStep = 'wait' | 'tell' | 'forget';

export function reminderStep(event: EventFacts, now: number): ReminderStep {
  if (event.status === 'draft') return now < event.starts_at ? 'wait' : 'forget';
  const steps = {
    not_yet: 'wait',
    open: 'tell',
    paused: 'wait',
    closed: 'forget',
    cancelled: 'forget',
  } as const;
  return steps[salesStateOf(event, now)];
}
