/** The event form: creates and saves an event as a whole, shows faults, edit conflicts, and whether buyers must be notified. */
import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { createEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatTime } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { BuyersQuestion, Conflict, FaultSummary, SaveBar } from './answers.tsx';
import { checkValues, faultsOfRefusal, type Faults } from '#apps/admin/kit/form-faults.ts';
import { Pictures } from './pictures.tsx';
import { EventPreview } from './preview.tsx';
import { Prices } from './prices.tsx';
import { Rules } from './rules.tsx';
import { goToField, type SectionProps } from '#apps/admin/kit/form/form-section.tsx';
import { Terms, Texts, When, Where } from './texts.tsx';
import { bodyOf, newValues, sameValues, valuesOf, type DeskEvent } from './values.ts';
import { EventBadge } from '#apps/admin/event/links.tsx';
import { EventPublication } from '#apps/admin/event/publish.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Loaded, tellFailure } from '#apps/admin/kit/loaded.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';

export function NewEventScreen() {
  return (
    <>
      <BackLink to="/">Eventi</BackLink>
      <EventForm event={null} />
    </>
  );
}

export function EditEventScreen() {
  const { eventId } = useParams() as { eventId: string };
  // What the list has kept may be older than the last save; later answers must not touch what is being typed.
  const query = useEndpoint(
    readEvent,
    { params: { eventId } },
    { refetchOnMount: 'always', refetchOnWindowFocus: false },
  );
  const event = { ...query, data: query.isFetchedAfterMount ? query.data : undefined };
  return (
    <>
      <BackLink to={`/events/${encodeURIComponent(eventId)}`}>Evento</BackLink>
      <Loaded query={event}>{(data) => <EventForm key={data.id} event={data} />}</Loaded>
    </>
  );
}

/** `event` null: a new one. */
function EventForm({ event }: { event: DeskEvent | null }) {
  const creating = event === null;
  const act = useAct();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [held, setHeld] = useState(event);
  const [saved, setSaved] = useState(() => (event === null ? newValues : valuesOf(event)));
  const [values, setValues] = useState(saved);
  // The editors keep their own text: another round draws them anew.
  const [round, setRound] = useState(0);
  const [faults, setFaults] = useState<Faults>({});
  const [justSaved, setJustSaved] = useState(false);
  const [conflict, setConflict] = useState<DeskEvent | null>(null);
  const [buyers, setBuyers] = useState<number | null>(null);
  const [preview, setPreview] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const arriving = useRef(false);
  const dirty = !sameValues(values, saved);
  const guard = useUnsavedGuard(dirty);
  const faulty = Object.keys(faults).length > 0;
  const params = { eventId: held?.id ?? '' };

  function adopt(next: DeskEvent, mine: typeof values | null) {
    const fresh = valuesOf(next);
    setHeld(next);
    setSaved(fresh);
    // Whatever was typed while the answer was on its way stays.
    setValues((now) => (mine === null || now === mine ? fresh : now));
    setFaults({});
    client.setQueryData(keyOf(readEvent, { params: { eventId: next.id } }), next);
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== readEvent.path });
  }

  function takeTheirs(next: DeskEvent) {
    adopt(next, null);
    setConflict(null);
    setRound(round + 1);
  }

  async function showFaults(found: Faults) {
    setFaults(found);
    arriving.current = true;
  }

  useEffect(() => {
    if (!arriving.current || !faulty) return;
    arriving.current = false;
    summary.current?.focus();
  });

  async function save({
    version = held?.version ?? 1,
    tell_buyers,
  }: { version?: number; tell_buyers?: number } = {}) {
    const found = checkValues(values, creating);
    if (Object.keys(found).length > 0) return showFaults(found);
    try {
      const next = creating
        ? await act(createEvent, { body: { id: values.id, ...bodyOf(values) } })
        : await act(updateEvent, {
            params,
            body: {
              version,
              ...(tell_buyers === undefined ? {} : { tell_buyers }),
              ...bodyOf(values),
            },
          });
      setConflict(null);
      setBuyers(null);
      adopt(next, values);
      setJustSaved(true);
      if (creating)
        await navigate(`/events/${encodeURIComponent(next.id)}/edit`, { replace: true });
    } catch (error) {
      setConflict(null);
      setBuyers(null);
      await answer(error);
    }
  }

  async function answer(error: unknown) {
    const code = error instanceof CallError ? error.code : '';
    if (code === 'buyers_to_tell') setBuyers(countOf(error));
    else if (code === 'event_changed') {
      try {
        setConflict(await act(readEvent, { params }));
      } catch (failure) {
        await showFaults({ form: tellFailure(failure) });
      }
    } else await showFaults(faultsOfRefusal(error, values));
  }

  const section: SectionProps = {
    values,
    faults,
    set: (change) => setValues((now) => ({ ...now, ...change })),
  };
  return (
    <form className={sectionStyles.form} noValidate onSubmit={(submit) => submit.preventDefault()}>
      <PageTitle title={creating ? 'Nuovo evento' : saved.title || 'Evento senza titolo'}>
        {held !== null && <EventBadge event={held} />}
        <button
          type="button"
          className={`ui-button ${buttonStyles.small}`}
          onClick={() => setPreview(true)}
        >
          Anteprima
        </button>
      </PageTitle>
      {faulty && <FaultSummary ref={summary} faults={faults} onGo={goToField} />}
      {held !== null && (
        <EventPublication
          event={held}
          dirty={dirty}
          onChanged={(next) => adopt(next, null)}
          onGo={goToField}
        />
      )}
      <div className={sectionStyles.sections} key={round}>
        <Texts section={section} creating={creating} />
        <When section={section} />
        <Where section={section} />
        <Pictures section={section} />
        <Prices
          section={section}
          eventKey={held?.seatsio_event_key ?? null}
          sold={(held?.orders ?? 0) > 0}
          newPlaces={held?.new_places ?? 0}
        />
        <Rules section={section} />
        <Terms section={section} />
      </div>
      <SaveBar
        dirty={dirty}
        creating={creating}
        draft={held?.status !== 'published'}
        cancelled={held?.status === 'cancelled'}
        note={justSaved && held !== null ? `Salvato alle ${formatTime(held.updated_at)}` : null}
        onSave={() => save()}
        onDiscard={() => {
          setValues(saved);
          setFaults({});
          setRound(round + 1);
        }}
      />
      {guard}
      {conflict !== null && (
        <Conflict
          onTheirs={() => takeTheirs(conflict)}
          onMine={() => save({ version: conflict.version })}
          onClose={() => setConflict(null)}
        />
      )}
      {buyers !== null && (
        <BuyersQuestion
          buyers={buyers}
          onTell={() => save({ tell_buyers: buyers })}
          onClose={() => setBuyers(null)}
        />
      )}
      {preview && <EventPreview values={values} onClose={() => setPreview(false)} />}
    </form>
  );
}

function countOf(error: unknown): number {
  const { buyers } = ((error as CallError).detail ?? {}) as { buyers?: unknown };
  return typeof buyers === 'number' ? buyers : 0;
}
