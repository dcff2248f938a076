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

/** No replay is recorded where the address contains an order's id. */
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
  // Applies to errors, traces and replays.
  addEventProcessor((event) => scrub(event));
}

/** Stops the replay when the visitor comes to a private page. */
export function stopWherePrivate(): void {
  if (isPrivate(location.pathname)) void getReplay()?.stop();
}

/** Passes one event, then drops events for `ms`. */
export function throttle(ms: number, now: () => number): <E extends Event>(event: E) => E | null {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (now() - last < ms) return null;
    last = now();
    return event;
  };
}

/** Removes order ids everywhere in an event, because an id opens the order's tickets. */
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
