/** The monitoring services (RULES W8), each fetched only where its key is set. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readSite } from '#server/contract/site.ts';
import { listenTo, track, type UsageEvent } from './track.ts';

export type Monitoring = NonNullable<ReplyOf<typeof readSite>['monitoring']>;

/** RULES W8: analytics load this long after the start. */
const analyticsDelayMs = 1_000;
/** Events within this time are sent together. */
const gatherMs = 1_000;

/**
 * `calm`: only then the measuring library is fetched, which still learns what was before. Call
 * the returned function whenever the app shows another page.
 */
export function startMonitoring(
  { rum, sentry, analytics }: Monitoring,
  calm: Promise<void>,
): () => void {
  let onPage = () => {};
  if (rum !== null) startMeasuring(rum, calm);
  if (sentry !== null)
    void import('./error-reports.ts').then(
      ({ startErrorReports, stopWherePrivate }) => {
        startErrorReports(sentry.dsn);
        onPage = stopWherePrivate;
      },
      () => {},
    );
  if (analytics !== null && mayCount())
    setTimeout(() => loadAnalytics(analytics), analyticsDelayMs);
  return () => onPage();
}

function startMeasuring(rum: NonNullable<Monitoring['rum']>, calm: Promise<void>): void {
  let gathered: UsageEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function leave(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = gathered;
    gathered = [];
    for (const page_url of new Set(all.map((event) => event.page_url)))
      send(rum, {
        client_key: rum.client_key,
        page_url,
        events: all
          .filter((event) => event.page_url === page_url)
          .map(({ name, value }) => ({ name, ...(value === undefined ? {} : { value }) })),
      });
  }

  listenTo((event) => {
    gathered.push(event);
    // The server takes at most fifty events.
    if (gathered.length >= 40 || document.visibilityState === 'hidden') leave();
    else timer ??= setTimeout(leave, gatherMs);
  });
  addEventListener('error', () => track('error'));
  addEventListener('unhandledrejection', () => track('error'));
  // web-vitals reports its last values in the same event, so the batch is sent a task later.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') setTimeout(leave);
  });
  addEventListener('pagehide', leave);
  void calm
    .then(() => import('web-vitals'))
    .then(
      ({ onCLS, onINP, onLCP }) => {
        for (const watch of [onCLS, onINP, onLCP]) watch(({ name, value }) => track(name, value));
      },
      () => {},
    );
  watchFirstInput();
}

/** The web-vitals library no longer measures FID, but the browser does. */
function watchFirstInput(): void {
  if (!PerformanceObserver.supportedEntryTypes.includes('first-input')) return;
  const observer = new PerformanceObserver((list) => {
    const first = list.getEntries()[0] as PerformanceEventTiming | undefined;
    if (first === undefined) return;
    observer.disconnect();
    track('FID', Math.max(0, first.processingStart - first.startTime));
  });
  observer.observe({ type: 'first-input', buffered: true });
}

/** A beacon and a POST with keepalive outlive the page; plain text needs no preflight. */
function send(rum: NonNullable<Monitoring['rum']>, batch: object): void {
  const type = rum.url.startsWith('/') ? 'application/json' : 'text/plain';
  const body = new Blob([JSON.stringify(batch)], { type });
  if (navigator.sendBeacon?.(rum.url, body)) return;
  void fetch(rum.url, {
    method: 'POST',
    keepalive: true,
    body,
    headers: { 'content-type': type },
  }).catch(() => {});
}

/** Visitors with Do Not Track and developers' own machines are not counted. */
export function mayCount(
  { hostname }: { hostname: string } = location,
  doNotTrack: string | null = navigator.doNotTrack,
): boolean {
  return (
    doNotTrack !== '1' &&
    doNotTrack !== 'yes' &&
    !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  );
}

function loadAnalytics({ script_url, site_key }: NonNullable<Monitoring['analytics']>): void {
  const script = document.createElement('script');
  Object.assign(script, { src: script_url, async: true, referrerPolicy: 'no-referrer' });
  Object.assign(script.dataset, {
    siteKey: site_key,
    mode: 'page-load',
    respectDnt: 'true',
    ignoreLocalhost: 'true',
    coreWebVitals: 'true',
  });
  document.head.append(script);
}
