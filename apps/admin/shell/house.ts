/** The house as everybody of the office sees it: its name and colours, and whether this is only a trial. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readHouse } from '#server/contract/site.ts';
import { useEndpoint } from '#apps/shared/query.ts';

export type House = ReplyOf<typeof readHouse>;

/** It changes about once a year; but for maintenance, which somebody may begin at any moment. */
export function useHouse() {
  return useEndpoint(readHouse, {}, { staleTime: 60_000, refetchInterval: 60_000 });
}
