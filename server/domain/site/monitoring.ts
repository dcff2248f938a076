/**
 * Third-party monitoring (errors, speed, statistics), none of which starts before the visitor
 * agrees (Garante, guidelines of 10 June 2021).
 */

export const monitors = ['errors', 'speed', 'statistics'] as const;
export type Monitor = (typeof monitors)[number];

interface Watching {
  rum: { url: string } | null;
  sentry: object | null;
  analytics: object | null;
}

/** Our own counters have an address without a host and need no consent. */
export function monitorsOf(monitoring: Watching | null): Monitor[] {
  if (monitoring === null) return [];
  const { rum, sentry, analytics } = monitoring;
  const used: Record<Monitor, boolean> = {
    errors: sentry !== null,
    speed: rum !== null && !rum.url.startsWith('/'),
    statistics: analytics !== null,
  };
  return monitors.filter((monitor) => used[monitor]);
}

/** What may start: our own counters, and what the visitor agreed to. */
export function allowedOf<M extends Watching>(monitoring: M, allowed: readonly Monitor[]): M {
  const refused = monitorsOf(monitoring).filter((monitor) => !allowed.includes(monitor));
  return {
    ...monitoring,
    rum: refused.includes('speed') ? null : monitoring.rum,
    sentry: refused.includes('errors') ? null : monitoring.sentry,
    analytics: refused.includes('statistics') ? null : monitoring.analytics,
  };
}
