/** The events that a phone can be assigned to, with the gates of their tickets. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { listRehearsals } from '#server/contract/door/rehearsals.ts';
import { eveningMs } from '#server/domain/event/event.ts';
import { isSameGate } from '#server/domain/door/gate.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import type { Query } from '#apps/admin/kit/page/loaded.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';

/** `begins` is null for a rehearsal, which has no fixed start. */
export interface DoorChoice {
  id: string;
  title: string;
  soft: string;
  gates: readonly string[];
  begins: number | null;
  opens: number | null;
}

type Listed = ReplyOf<typeof listEvents>['items'][number];

const hourMs = 3_600_000;
/** The doors open this long before the start if the event does not say when. */
const doorsMs = hourMs;

export function useDoorChoices(): Query<DoorChoice[]> {
  const events = useAllPages(listEvents, { refetchInterval: 30_000 });
  const rehearsals = useAllPages(listRehearsals, { refetchInterval: 30_000 });
  return {
    ...(events.isError ? events : rehearsals),
    data: events.data &&
      rehearsals.data && [
        ...events.data.items.filter(isComing).map(choiceOf),
        ...rehearsals.data.items
          .filter(({ closed_at }) => closed_at === null)
          .map(choiceOfRehearsal),
      ],
  };
}

/** Events that began more than a day ago are left out. */
function isComing(event: Listed): boolean {
  return event.status !== 'cancelled' && Date.parse(event.starts_at) > Date.now() - 24 * hourMs;
}

function choiceOf({ id, title, starts_at, doors_at, status, gates }: Listed): DoorChoice {
  const begins = Date.parse(starts_at);
  const doors = doors_at === null ? begins - doorsMs : Date.parse(doors_at);
  return {
    id,
    title,
    soft:
      status === 'draft'
        ? `${formatShortDate(starts_at)} · bozza: i telefoni lo ricevono quando lo pubblichi`
        : formatShortDate(starts_at),
    gates,
    begins,
    // Phones get no list of a draft.
    opens: status === 'draft' ? null : doors,
  };
}

function choiceOfRehearsal({
  event_id,
  title,
  gates,
}: ReplyOf<typeof listRehearsals>['items'][number]): DoorChoice {
  return { id: event_id, title, soft: 'Per provare', gates, begins: null, opens: null };
}

/** The evening that a new phone is most likely for; yesterday's is still among the choices. */
export function nextEvening(choices: readonly DoorChoice[], now: number): DoorChoice | undefined {
  return choices.find(({ begins }) => begins !== null && begins > now - eveningMs);
}

/** The doors are open now, by the event's times. */
export function isOn({ begins, opens }: DoorChoice, now: number): boolean {
  return begins !== null && opens !== null && now >= opens && now < begins + eveningMs;
}

/** A wrong gate would send every guest elsewhere. Null: some ticket names this gate. */
export function tellStrangeGate(
  gate: string | null,
  choices: readonly DoorChoice[],
): string | null {
  const gates = gatesOf(choices);
  const typed = (gate ?? '').trim();
  if (typed === '' || gates.length === 0 || gates.some((known) => isSameGate(known, typed)))
    return null;
  return `Nessun biglietto entra da «${typed}»: ${gates.length === 1 ? 'il varco è' : 'i varchi sono'} ${gates.join(', ')}.`;
}

export function gatesOf(choices: readonly DoorChoice[]): string[] {
  return [...new Set(choices.flatMap(({ gates }) => gates))];
}
