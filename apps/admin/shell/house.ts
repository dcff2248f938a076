/** The house's name and colours for the whole office, and whether this is a trial. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readHouse } from '#server/contract/site.ts';
import type { Gap } from '#server/domain/office/restored.ts';
import { useEndpoint } from '#apps/shared/query.ts';

export type House = ReplyOf<typeof readHouse>;

/** Read from the page's HTML (server/http/trial-mark.ts) before the house is fetched. */
export function trialOfPage(): House['trial'] {
  const parts = document.documentElement.dataset['trial']?.split(' ') ?? [];
  if (parts.length === 0) return null;
  return {
    payments: parts[0] === 'standin' ? 'standin' : 'test_key',
    seats: parts[1] === 'standin' ? 'standin' : null,
  };
}

/** Null: the house sells, or is in maintenance for another reason than a restore. */
export function gapOf({ gap }: House): Gap | null {
  // A server of 1.0.1 does not tell it, while an upgrade goes on.
  if (!gap) return null;
  return { from: Date.parse(gap.from), to: Date.parse(gap.to) };
}

/** It rarely changes, but maintenance may begin at any moment. */
export function useHouse() {
  return useEndpoint(readHouse, {}, { staleTime: 60_000, refetchInterval: 60_000 });
}
