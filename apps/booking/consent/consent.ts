/**
 * The visitor's choice about third-party services: asked before any of them starts, kept for six
 * months, withdrawn on the cookie page.
 */
import { startMonitoring, type Monitoring } from '#apps/shared/monitoring.ts';
import { listenTo } from '#apps/shared/track.ts';
import { allowedOf, monitors, monitorsOf, type Monitor } from '#server/domain/site/monitoring.ts';
import { whenCalm } from '#apps/booking/shell/calm.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

interface Choice {
  /** Milliseconds. */ at: number;
  /** The services in the question. */ asked: Monitor[];
  allowed: Monitor[];
}

/** Without storage the question appears on every page. */
const kept = keptText('localStorage', 'botteghino.consent.1');
const keptMs = 183 * 24 * 3_600_000;

/**
 * Null: the visitor must be asked, because there is no choice, it is six months old, or a service
 * is new.
 */
export function choiceIn(
  text: string | null,
  asked: readonly Monitor[],
  now: number,
): Monitor[] | null {
  const choice = parseKept(text) as Partial<Choice> | null;
  if (
    typeof choice?.at !== 'number' ||
    choice.at > now ||
    choice.at + keptMs < now ||
    !Array.isArray(choice.asked) ||
    !Array.isArray(choice.allowed)
  )
    return null;
  const { allowed, asked: known } = choice as Choice;
  return asked.every((monitor) => known.includes(monitor))
    ? monitors.filter((monitor) => allowed.includes(monitor))
    : null;
}

/** For services that need consent. Call `onPage` whenever the app shows another page. */
export function watchWithConsent(monitoring: Monitoring): {
  onPage: () => void;
  askAgain: () => Promise<void>;
} {
  const asked = monitorsOf(monitoring);
  const listeners: (() => void)[] = [];
  let running: readonly Monitor[] = [];

  function start(allowed: readonly Monitor[]): void {
    // A running service cannot be stopped, so the page reloads without it.
    if (running.some((monitor) => !allowed.includes(monitor))) {
      location.reload();
      return;
    }
    const fresh = allowed.filter((monitor) => !running.includes(monitor));
    running = allowed;
    const { rum, sentry, analytics } = allowedOf(monitoring, fresh);
    listeners.push(
      startMonitoring({ rum: fresh.includes('speed') ? rum : null, sentry, analytics }, whenCalm()),
    );
  }

  async function ask(takesFocus: boolean): Promise<void> {
    const { showConsent } = await import('./banner.tsx');
    showConsent({
      asked,
      allowed: running,
      takesFocus,
      onChoice: (allowed) => {
        kept.write(JSON.stringify({ at: Date.now(), asked, allowed } satisfies Choice));
        start(allowed);
      },
    });
  }

  const known = choiceIn(kept.read(), asked, Date.now());
  const own = asked.includes('speed') ? null : monitoring.rum;
  if (own !== null)
    listeners.push(startMonitoring({ rum: own, sentry: null, analytics: null }, whenCalm()));
  // Without consent events are dropped.
  else if (!known?.includes('speed')) listenTo(null);
  if (known === null) void ask(false);
  else start(known);
  return {
    onPage: () => {
      for (const listener of listeners) listener();
    },
    askAgain: () => ask(true),
  };
}
