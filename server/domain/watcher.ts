/** Third-party monitoring (errors, speed, statistics): none starts before the visitor has agreed (Garante, guidelines of 10 June 2021). */

export const watchers = ['errors', 'speed', 'statistics'] as const;
export type Watcher = (typeof watchers)[number];

interface Watching {
  rum: { url: string } | null;
  sentry: object | null;
  analytics: object | null;
}

/** Counters of our own have an address without a host, and ask nobody. */
export function watchersOf(monitoring: Watching | null): Watcher[] {
  if (monitoring === null) return [];
  const { rum, sentry, analytics } = monitoring;
  const used: Record<Watcher, boolean> = {
    errors: sentry !== null,
    speed: rum !== null && !rum.url.startsWith('/'),
    statistics: analytics !== null,
  };
  return watchers.filter((watcher) => used[watcher]);
}

/** What may start: our own counters, and what was agreed to. */
export function allowedOf<M extends Watching>(monitoring: M, allowed: readonly Watcher[]): M {
  const refused = watchersOf(monitoring).filter((watcher) => !allowed.includes(watcher));
  return {
    ...monitoring,
    rum: refused.includes('speed') ? null : monitoring.rum,
    sentry: refused.includes('errors') ? null : monitoring.sentry,
    analytics: refused.includes('statistics') ? null : monitoring.analytics,
  };
}
