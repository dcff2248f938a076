/** The scope of a report, kept in the address for reload, back and links. */
import type { Asked } from '#server/contract/endpoint.ts';
import type { readReport } from '#server/contract/reports.ts';
import { useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';

export type ScopeAsk = NonNullable<Asked<typeof readReport>['query']>;

const scopeKinds = ['season', 'period', 'show', 'event'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

const nothing = { event_id: '', show_id: '', season: '', from: '', to: '', against: '' };

export interface ReportScope {
  kind: ScopeKind;
  ask: ScopeAsk;
  /** Replaces the whole scope. */
  choose: (ask: ScopeAsk) => void;
  compare: (against: string) => void;
}

export function useScope(): ReportScope {
  const { text, change } = useAddressFilters();
  const ask = withoutEmpty({
    event_id: text('event_id'),
    show_id: text('show_id'),
    season: text('season'),
    from: text('from'),
    to: text('to'),
    against: text('against'),
  });
  return {
    kind: kindOf(ask),
    ask,
    choose: (next) => change({ ...nothing, ...next }),
    compare: (against) => change({ against }),
  };
}

/** Default: the current season. */
function kindOf({ event_id, show_id, from, to }: ScopeAsk): ScopeKind {
  if (event_id !== undefined) return 'event';
  if (show_id !== undefined) return 'show';
  return from === undefined && to === undefined ? 'season' : 'period';
}

export function reportOfEvent(event_id: string): string {
  return `/reports/sales?event_id=${encodeURIComponent(event_id)}`;
}

export function reportOfShow(show_id: string): string {
  return `/reports/sales?show_id=${encodeURIComponent(show_id)}`;
}
