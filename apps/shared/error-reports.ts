/** Error reports, traces and replays (RULES W8): the Sentry SDK, fetched only with a DSN. */
import {
  addEventProcessor,
  browserTracingIntegration,
  getReplay,
  init,
  replayIntegration,
  type Event,
} from '@sentry/react';
import { withoutOrderIds } from '#server/domain/site/visit.ts';

/** RULES W8: one error event a second. */
const throttleMs = 1_000;

/** Where an order's id or a checkout stands in the address itself, nothing is filmed. */
const isPrivate = (path: string) => path.startsWith('/orders/');

export function startErrorReports(dsn: string): void {
  init({
    dsn,
    sampleRate: 1,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    tracePropagationTargets: ['localhost'],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    integrations: [
      browserTracingIntegration(),
      ...(isPrivate(location.pathname)
        ? []
        : [
            replayIntegration({
              blockAllMedia: true,
              maskAllText: true,
              maskAllInputs: true,
              block: ['[href*="/orders/"]', '[href*="/pay/"]'],
              beforeAddRecordingEvent: (event) => scrub(event),
            }),
          ]),
    ],
    beforeSend: throttle(throttleMs, () => performance.now()),
    beforeSendSpan: (span) => scrub(span),
    beforeBreadcrumb: (breadcrumb) => scrub(breadcrumb),
  });
  // Of whatever leaves: errors, traces, the list of pages of a replay.
  addEventProcessor((event) => scrub(event));
}

/** The app goes from page to page without a new start. */
export function stopWherePrivate(): void {
  if (isPrivate(location.pathname)) void getReplay()?.stop();
}

/** Lets one event through, then none until so much time has passed. */
export function throttle(ms: number, now: () => number): <E extends Event>(event: E) => E | null {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (now() - last < ms) return null;
    last = now();
    return event;
  };
}

/** The id of an order opens its tickets: it never leaves, wherever in an event it stands. */
export function scrub<T>(value: T): T {
  if (typeof value === 'string') return withoutOrderIds(value) as T;
  if (Array.isArray(value)) return value.map((entry: unknown) => scrub(entry)) as T;
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, scrub(entry)])) as T;
}
