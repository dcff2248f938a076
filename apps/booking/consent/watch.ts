/** Fetches the measuring code only if the site uses it. */
import type { QueryClient } from '@tanstack/react-query';
import { call } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { listenTo, track } from '#apps/shared/track.ts';
import { whenCalm } from '#apps/booking/shell/calm.ts';
import { readSite } from '#server/contract/site.ts';
import { monitorsOf } from '#server/domain/site/monitoring.ts';

let watching: { onPage: () => void; askAgain: () => Promise<void> } | null = null;

export async function startWatching(queryClient: QueryClient): Promise<void> {
  try {
    const { monitoring } = await queryClient.fetchQuery({
      queryKey: keyOf(readSite, {}),
      queryFn: () => call(readSite, {}),
      staleTime: Number.POSITIVE_INFINITY,
    });
    if (monitoring === null) return listenTo(null);
    // Our own measuring needs no consent.
    if (monitorsOf(monitoring).length === 0) {
      const { startMonitoring } = await import('#apps/shared/monitoring.ts');
      watching = { onPage: startMonitoring(monitoring, whenCalm()), askAgain: async () => {} };
      return;
    }
    const { watchWithConsent } = await import('./consent.ts');
    watching = watchWithConsent(monitoring);
  } catch {
    listenTo(null);
  }
}

/** Reports that the app shows another page. */
export function trackPageview(): void {
  track('pageview');
  watching?.onPage();
}

/** Opens the question about third-party services again. */
export async function askConsentAgain(): Promise<void> {
  await watching?.askAgain();
}
