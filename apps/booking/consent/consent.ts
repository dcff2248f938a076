/**
 * The visitor's choice about third-party services: asked before any of them starts, kept for six
 * months, withdrawn on the cookie page.
 */
import { startMonitoring, type Monitoring } from '#apps/shared/monitoring.ts';
import { listenTo } from '#apps/shared/track.ts';
import { allowedOf, monitors, monitorsOf, type Monitor } from '#server/domain/site/monitoring.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

interface Choice {
  /** Milliseconds. */ at: number;
  /** What the question was about. */ asked: Monitor[];
  allowed: Monitor[];
}

/** A browser that stores nothing asks on every page. */
const kept = keptText('localStorage', 'botteghino.consent.1');
const keptMs = 183 * 24 * 3_600_000;

/**
 * Null: the visitor is to be asked, for the first time, again after six months, or about a new
 * service.
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

/** Call the returned function whenever another page is shown. */
export function watchWithConsent(monitoring: Monitoring): {
  onPage: () => void;
  askAgain: () => Promise<void>;
} {
  const asked = monitorsOf(monitoring);
  const listeners: (() => void)[] = [];
  let running: readonly Monitor[] = [];

  function start(allowed: readonly Monitor[]): void {
    // A service that runs cannot be stopped, so the page is loaded again without it.
    if (running.some((monitor) => !allowed.includes(monitor))) {
      location.reload();
      return;
    }
    const fresh = allowed.filter((monitor) => !running.includes(monitor));
    running = allowed;
    const { rum, sentry, analytics } = allowedOf(monitoring, fresh);
    listeners.push(
      startMonitoring({ rum: fresh.includes('speed') ? rum : null, sentry, analytics }),
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
  if (own !== null) listeners.push(startMonitoring({ rum: own, sentry: null, analytics: null }));
  // Until the visitor agrees, nothing is passed on.
  else if (!known?.includes('speed')) listenTo(null);
  // Our own measuring alone needs no consent.
  if (asked.length > 0) {
    if (known === null) void ask(false);
    else start(known);
  }
  return {
    onPage: () => {
      for (const listener of listeners) listener();
    },
    askAgain: () => ask(true),
  };
}
