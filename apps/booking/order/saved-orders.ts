/**
 * Confirmed orders stored in this browser as last seen, so that tickets open at a door without
 * signal.
 */
import { CallError } from '#apps/shared/api.ts';
import { keptText, parseKept, type KeptText } from '#apps/booking/shell/kept-text.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';

/** What the list of kept tickets shows of an order, or of a ticket opened by its own link. */
export interface SavedPage extends Pick<OrderReply, 'order_id' | 'state'> {
  event: Pick<OrderReply['event'], 'title' | 'starts_at'>;
  tickets: readonly { seat: string }[];
  /** Names an object sold whole once; missing: the tickets are named. */
  lines?: readonly { seat: string }[];
}
interface SavedOrder<Page extends SavedPage = SavedPage> {
  /** Milliseconds. */ at: number;
  order: Page;
}

/** Use a new number if an order's fields change; entries of older versions are removed. */
const prefix = 'botteghino.order.2.';
const mostKept = 20;
/** Phones at the door keep their list just as long. */
const keptAfterMs = 48 * 3_600_000;

/** Stores a confirmed order, or forgets one that is not; removes orders of past evenings. */
export function keepOrder(order: SavedPage, at = Date.now()): void {
  if (order.state !== 'confirmed') {
    forgetOrder(order.order_id);
    return;
  }
  entryAt(`${prefix}${order.order_id}`).write(JSON.stringify({ at, order } satisfies SavedOrder));
  const saved = savedKeys()
    .map((key) => ({ key, entry: parseSaved(entryAt(key).read()) }))
    .toSorted((a, b) => (b.entry?.at ?? 0) - (a.entry?.at ?? 0));
  saved.forEach(({ key, entry }, index) => {
    if (
      entry === null ||
      index >= mostKept ||
      Date.parse(entry.order.event.starts_at) + keptAfterMs < at
    )
      entryAt(key).write(null);
  });
}

/** The caller knows what it has stored under this id. */
export function savedOrder<Page extends SavedPage = OrderReply>(
  order_id: string,
): SavedOrder<Page> | null {
  const entry = parseSaved(entryAt(`${prefix}${order_id}`).read()) as SavedOrder<Page> | null;
  return entry?.order.order_id === order_id ? entry : null;
}

/** All stored orders as one text, which changes only with the orders. */
export function readSavedOrders(): string {
  const texts = savedKeys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => entryAt(key).read());
  return JSON.stringify(texts);
}

/** Sorted by the evening. */
export function savedOrdersIn(text: string): SavedPage[] {
  return (JSON.parse(text) as (string | null)[])
    .flatMap((entry) => parseSaved(entry)?.order ?? [])
    .toSorted((a, b) => Date.parse(a.event.starts_at) - Date.parse(b.event.starts_at));
}

export function forgetOrder(order_id: string): void {
  entryAt(`${prefix}${order_id}`).write(null);
}

/** Answers after which a saved order must not be shown any longer. */
const goneCodes: ReadonlySet<string> = new Set([
  'order_not_found',
  'link_replaced',
  'ticket_link_ended',
]);

/** Whether the answer says that the link opens nothing any more. */
export function isGone(answer: unknown): boolean {
  return answer instanceof CallError && goneCodes.has(answer.code);
}

/** Removes the saved order if its link opens nothing any more, and then returns true. */
export function forgetIfGone(order_id: string, answer: unknown): boolean {
  if (!isGone(answer)) return false;
  forgetOrder(order_id);
  return true;
}

export function forgetAllOrders(): void {
  for (const key of savedKeys()) entryAt(key).write(null);
}

/** Null for unreadable text. */
export function parseSaved(text: string | null): SavedOrder | null {
  const entry = parseKept(text) as Partial<SavedOrder> | null;
  return typeof entry?.at === 'number' &&
    typeof entry.order?.order_id === 'string' &&
    Array.isArray(entry.order.tickets) &&
    typeof entry.order.event?.starts_at === 'string'
    ? (entry as SavedOrder)
    : null;
}

function savedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith('botteghino.order.'));
  } catch {
    return [];
  }
}

// Made for each use, because keptText() holds in memory what storage refuses.
function entryAt(key: string): KeptText {
  return keptText('localStorage', key);
}
