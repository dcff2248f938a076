/** Usage events: `track` reports one, `listenTo` sends them to a monitoring service. */
import { eventName, withoutOrderIds } from '#server/domain/site/visit.ts';

/** `page_url` has no query and no order id, because an order id opens its tickets. */
export interface UsageEvent {
  name: string;
  value?: number;
  page_url: string;
}
type Listener = (event: UsageEvent) => void;

/** Events wait until it is known whether a service listens. */
const mostWaiting = 50;
let waiting: UsageEvent[] = [];
let listener: Listener | null | undefined;

/** Ignores a name that breaks RULES W7. Never throws. */
export function track(name: string, value?: number): void {
  if (listener === null || !eventName.test(name)) return;
  const event: UsageEvent = {
    name,
    page_url: pageUrl(),
    ...(value === undefined ? {} : { value }),
  };
  if (listener !== undefined) listener(event);
  else if (waiting.length < mostWaiting) waiting.push(event);
}

/** Empty on the server, where there is no page. */
function pageUrl(): string {
  const page = (globalThis as { location?: Location }).location;
  return page === undefined ? '' : `${page.origin}${withoutOrderIds(page.pathname)}`;
}

/** Null: no service listens, now or later. */
export function listenTo(to: Listener | null): void {
  listener = to;
  const before = waiting;
  waiting = [];
  if (to !== null) for (const event of before) to(event);
}
