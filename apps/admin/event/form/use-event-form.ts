/** The state of the event form: saved and typed values, faults, and questions before saving. */
import { useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { createEvent, previewEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { readHouse } from '#server/contract/site.ts';
import { CallError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { soldRights } from '#server/domain/order/terms.ts';
import { isMet, type MetTickets } from './met-tickets.tsx';
import { checkValues, faultsOfRefusal } from './faults.ts';
import type { Faults } from '#apps/admin/kit/form/form-section.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import type { House } from '#apps/admin/shell/house.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import {
  eventBodyOf,
  newValues,
  areSameEvents,
  eventValuesOf,
  type DeskEvent,
  type EventValues,
} from './values.ts';

/**
 * `theirs`: another user saved first; `met`: sold tickets are met; `buyers`: they will get a
 * mail; `discard`: changes are lost. `more` is what has been answered before.
 */
export type Question =
  | { about: 'theirs'; theirs: DeskEvent }
  | { about: 'met'; seen: MetTickets; more: Answers }
  | { about: 'buyers'; buyers: number; more: Answers }
  | { about: 'discard' };

interface Answers {
  version?: number;
  tell_buyers?: number;
  ask_names_by?: string;
}

const noProblem: { faults: Faults; question: Question | null } = { faults: {}, question: null };

/** Why the form is not saved yet: faults of its fields, or a question. */
function useProblem(onFaults: () => void) {
  const [problem, setProblem] = useState(noProblem);
  return {
    ...problem,
    showFaults(faults: Faults) {
      setProblem({ faults, question: null });
      onFaults();
    },
    ask: (question: Question | null) => setProblem(({ faults }) => ({ faults, question })),
    clear: () => setProblem(noProblem),
  };
}

/** The values of a new event, with the house's presale fee. */
function beginning(client: QueryClient): EventValues {
  const house = client.getQueryData<House>(keyOf(readHouse, {}));
  return { ...newValues, fee_price_id: house?.fee_price_id ?? '' };
}

function useValues(event: DeskEvent | null) {
  const client = useQueryClient();
  const [held, setHeld] = useState(event);
  const [saved, setSaved] = useState(() =>
    event === null ? beginning(client) : eventValuesOf(event),
  );
  const [values, setValues] = useState(saved);
  // Rich text editors hold their own text; a new `round` replaces them.
  const [round, setRound] = useState(0);

  /** Takes over the stored event; values that were typed after `sent` was sent stay. */
  function adopt(next: DeskEvent, sent?: EventValues) {
    const fresh = eventValuesOf(next);
    setHeld(next);
    setSaved(fresh);
    setValues((now) => (sent === undefined || now === sent ? fresh : now));
    client.setQueryData(keyOf(readEvent, { params: { eventId: next.id } }), next);
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== readEvent.path });
  }

  return {
    held,
    saved,
    values,
    dirty: !areSameEvents(values, saved),
    round,
    adopt,
    set: (change: Partial<EventValues>) => setValues((now) => ({ ...now, ...change })),
    discard() {
      setValues(saved);
      setRound(round + 1);
    },
    redraw: () => setRound(round + 1),
  };
}

/** The question that a refusal leads to; null: there is none. */
async function questionOf(
  error: unknown,
  readTheirs: () => Promise<DeskEvent>,
  more: Answers,
): Promise<Question | null> {
  const code = error instanceof CallError ? error.code : '';
  if (code === 'buyers_to_tell') return { about: 'buyers', buyers: countOf(error), more };
  if (code === 'event_changed') return { about: 'theirs', theirs: await readTheirs() };
  return null;
}

/** `event` null: a new event. `onFaults` is called when faults are found. */
export function useEventForm(event: DeskEvent | null, onFaults: () => void) {
  const act = useAct();
  const navigate = useNavigate();
  const { adopt, discard, redraw, ...form } = useValues(event);
  const { held, values } = form;
  const { showFaults, clear, ...problem } = useProblem(onFaults);
  const [justSaved, setJustSaved] = useState(false);
  const params = { eventId: held?.id ?? '' };
  const version = held?.version ?? 1;

  function take(next: DeskEvent, sent?: EventValues) {
    adopt(next, sent);
    clear();
  }

  async function save(more: Answers = {}, seen = false) {
    const found = checkValues(values, event === null);
    if (Object.keys(found).length > 0) return showFaults(found);
    const body = eventBodyOf(values);
    try {
      const met = seen ? null : await ticketsAffectedBy(act, held, body);
      if (met !== null) return problem.ask({ about: 'met', seen: met, more });
      const next =
        event === null
          ? await act(createEvent, { body: { id: values.id, ...body } })
          : await act(updateEvent, { params, body: { version, ...more, ...body } });
      take(next, values);
      setJustSaved(true);
      if (event === null)
        await navigate(`/events/${encodeURIComponent(next.id)}/edit`, { replace: true });
    } catch (error) {
      problem.ask(null);
      await answer(error, more);
    }
  }

  async function answer(error: unknown, more: Answers) {
    try {
      const asked = await questionOf(error, () => act(readEvent, { params }), more);
      if (asked === null) showFaults(faultsOfRefusal(error, values));
      else problem.ask(asked);
    } catch (failure) {
      showFaults({ form: tellFailure(failure) });
    }
  }

  function takeTheirs(theirs: DeskEvent) {
    take(theirs);
    redraw();
  }
  function discardAll() {
    discard();
    clear();
  }
  return { ...form, ...problem, justSaved, save, take, takeTheirs, discard: discardAll };
}

type Rules = Pick<DeskEvent['form'], (typeof soldRights)[number]>;

function rulesOf(form: Rules): Rules {
  return Object.fromEntries(soldRights.map((name) => [name, form[name]])) as Rules;
}

/** What these rules do to sold tickets; null: there are none, or nothing happens to them. */
async function ticketsAffectedBy(
  act: ReturnType<typeof useAct>,
  held: DeskEvent | null,
  typed: Rules,
): Promise<MetTickets | null> {
  if (held === null || held.counts.sold === 0) return null;
  if (soldRights.every((name) => held.form[name] === typed[name])) return null;
  const seen = await act(previewEvent, { params: { eventId: held.id }, body: rulesOf(typed) });
  return isMet(seen) ? seen : null;
}

function countOf(error: unknown): number {
  const { buyers } = ((error as CallError).detail ?? {}) as { buyers?: unknown };
  return typeof buyers === 'number' ? buyers : 0;
}
