/** Usage events: `track` reports one, `listenTo` sends them to a monitoring service, if any. */
import { isEventName, withoutOrderIds } from '#server/domain/site/visit.ts';

/** `page_url` without query, and without the id of an order: that one opens its tickets. */
export interface UsageEvent {
  name: string;
  value?: number;
  page_url: string;
}
type Listener = (event: UsageEvent) => void;

/** What happens before it is known whether anybody listens. */
const mostWaiting = 50;
let waiting: UsageEvent[] = [];
let listener: Listener | null | undefined;

/** A name against the rule of RULES W7 is not reported. Never throws. */
export function track(name: string, value?: number): void {
  if (listener === null || !isEventName(name)) return;
  const event: UsageEvent = {
    name,
    page_url: pageUrl(),
    ...(value === undefined ? {} : { value }),
  };
  if (listener !== undefined) listener(event);
  else if (waiting.length < mostWaiting) waiting.push(event);
}

/** Where there is no page, as on the server that draws one, there is no address. */
function pageUrl(): string {
  const page = (globalThis as { location?: Location }).location;
  return page === undefined ? '' : `${page.origin}${withoutOrderIds(page.pathname)}`;
}

/** Null: there is no listener, now and later. */
export function listenTo(to: Listener | null): void {
  listener = to;
  const before = waiting;
  waiting = [];
  if (to !== null) for (const event of before) to(event);
}
