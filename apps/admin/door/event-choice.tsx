/** The event that a door screen shows: the one in the address, or else the next event. */
import { nameOfDate } from '#apps/admin/kit/date-name.ts';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { listEvents } from '#server/contract/events.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listRehearsals } from '#server/contract/door/rehearsals.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import type { Query } from '#apps/admin/kit/page/loaded.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Choice, useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';

interface DoorEvent {
  id: string;
  title: string;
  /** Missing for a rehearsal, which has no date. */ starts_at?: string;
  counts?: ReplyOf<typeof listEvents>['items'][number]['counts'];
}

/** Users who may not list events get the events of the last scans. */
export function useDoorEvents(): Query<DoorEvent[]> {
  const mayListEvents = useMay(listEvents.who);
  const mayListRehearsals = useMay(listRehearsals.who);
  const [chosen] = useChosenEvent();
  const events = useAllPages(listEvents, { enabled: mayListEvents, refetchInterval: 10_000 });
  const rehearsals = useAllPages(listRehearsals, {
    enabled: mayListRehearsals,
    refetchInterval: 30_000,
  });
  const recent = useEndpoint(
    listRecentAdmissions,
    { query: { limit: '100' } },
    { enabled: !mayListEvents, refetchInterval: 10_000 },
  );
  // Many scans elsewhere can push the chosen event off the list; its name is still needed.
  const isPushedOut =
    !mayListEvents &&
    chosen !== '' &&
    recent.data !== undefined &&
    !recent.data.items.some(({ event_id }) => event_id === chosen);
  const own = useEndpoint(
    listRecentAdmissions,
    { query: { limit: '1', event_id: chosen } },
    { enabled: isPushedOut },
  );
  if (!mayListEvents)
    return {
      ...recent,
      data: recent.data && eventsIn([...recent.data.items, ...(own.data?.items ?? [])]),
    };
  const open = rehearsals.data?.items.filter(({ closed_at }) => closed_at === null) ?? [];
  const isKnown = !mayListRehearsals || rehearsals.data !== undefined || rehearsals.isError;
  return {
    ...events,
    data: isKnown
      ? events.data && [
          ...events.data.items.filter(({ status }) => status !== 'draft'),
          ...open.map(({ event_id, title }) => ({ id: event_id, title })),
        ]
      : undefined,
  };
}

function eventsIn(
  rows: readonly { event_id: string; event_title: string; event_starts_at: string }[],
): DoorEvent[] {
  return [
    ...new Map(
      rows.map(({ event_id, event_title, event_starts_at }) => [
        event_id,
        { id: event_id, title: event_title, starts_at: event_starts_at },
      ]),
    ).values(),
  ];
}

export function useChosenEvent(): [event_id: string, choose: (id: string) => void] {
  const { text, set } = useAddressFilters();
  return [text('event_id'), (id) => set('event_id', id)];
}

interface EventChoiceProps {
  events: readonly DoorEvent[];
  value: string;
  all?: string;
  onChoose: (id: string) => void;
}

export function EventChoice({ events, value, all, onChoose }: EventChoiceProps) {
  const isKnown = value === '' || events.some(({ id }) => id === value);
  return (
    <Choice
      label="Evento"
      all={all}
      value={value}
      onChange={onChoose}
      options={[
        ...(isKnown ? [] : [[value, value] as const]),
        ...events.map(
          ({ id, title, starts_at }) =>
            [id, starts_at === undefined ? title : nameOfDate(title, starts_at)] as const,
        ),
      ]}
    />
  );
}
