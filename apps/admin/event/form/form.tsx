/** The event form: creates and saves an event as a whole, with faults and edit conflicts. */
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router-dom';
import { readEvent } from '#server/contract/event-desk.ts';
import { readShow } from '#server/contract/shows.ts';
import { formatLongDate, formatTime } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Surcharges } from './surcharges.tsx';
import { BuyersQuestion, Conflict, DiscardQuestion, FaultSummary } from './answers.tsx';
import { MetQuestion } from './met-tickets.tsx';
import { Pictures } from './pictures.tsx';
import { Prices } from './prices.tsx';
import { Rules } from './rules.tsx';
import { useFormQuery } from '#apps/admin/kit/form/form-query.ts';
import { goToField } from '#apps/admin/kit/form/form-section.tsx';
import type { SectionProps } from './controls.tsx';
import { Terms, Texts, When, Where } from './texts.tsx';
import { useEventForm, type Question } from './use-event-form.ts';
import type { DeskEvent } from './values.ts';
import { Wholes } from './wholes.tsx';
import { SaveBar } from '#apps/admin/kit/form/save-bar.tsx';
import { EventPublication } from '#apps/admin/event/publish.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useHouse } from '#apps/admin/shell/house.ts';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';

export function NewEventScreen() {
  const house = useHouse();
  return (
    <>
      <BackLink to="/events">Spettacoli</BackLink>
      <Loaded query={house}>{() => <EventForm event={null} />}</Loaded>
    </>
  );
}

export function EditEventScreen() {
  const { eventId } = useParams() as { eventId: string };
  const event = useFormQuery(readEvent, { params: { eventId } });
  return <Loaded query={event}>{(data) => <EventForm key={data.id} event={data} />}</Loaded>;
}

/** `event` null: a new event. */
function EventForm({ event }: { event: DeskEvent | null }) {
  const summary = useRef<HTMLDivElement>(null);
  const arriving = useRef(false);
  const form = useEventForm(event, () => {
    arriving.current = true;
  });
  const { held, values, faults, dirty, set } = form;
  const faulty = Object.keys(faults).length > 0;
  const guard = useUnsavedGuard(dirty);
  useEffect(() => {
    if (!arriving.current || !faulty) return;
    arriving.current = false;
    summary.current?.focus();
  });

  return (
    <form className={sectionStyles.form} noValidate onSubmit={(submit) => submit.preventDefault()}>
      {event === null && <PageTitle title="Nuovo evento" />}
      {faulty && <FaultSummary ref={summary} faults={faults} onGo={goToField} />}
      {held?.show_id && <OneOfSeveral showId={held.show_id} />}
      {held?.names && <NamesAsked {...held.names} />}
      {held !== null && (
        <EventPublication event={held} dirty={dirty} onChanged={form.take} onGo={goToField} />
      )}
      <Sections
        key={form.round}
        section={{ values, faults, set }}
        creating={event === null}
        held={held}
      />
      <SaveBar
        dirty={dirty}
        note={noteOf(held, form.justSaved)}
        saveLabel={saveLabelOf(held)}
        onSave={held?.status === 'cancelled' ? null : () => form.save()}
        onDiscard={event === null ? null : () => form.ask({ about: 'discard' })}
      />
      {guard}
      {form.question !== null && <Questions form={form} question={form.question} />}
    </form>
  );
}

/** Until when names are asked for that were not needed at the sale, and how many are missing. */
function NamesAsked({ due, missing }: NonNullable<DeskEvent['names']>) {
  return (
    <Notice>
      Nomi chiesti a chi aveva già comprato, entro {formatLongDate(due)}:{' '}
      {missing === 0 ? 'ci sono tutti' : `ne ${missing === 1 ? 'manca 1' : `mancano ${missing}`}`}.
    </Notice>
  );
}

/** Says that changes here are for this date only, and links to what all dates share. */
function OneOfSeveral({ showId }: { showId: string }) {
  const { data } = useEndpoint(readShow, { params: { showId } });
  if (data === undefined || data.dates.length < 2) return null;
  return (
    <Notice>
      È una di {data.dates.length} date. Quello che cambi qui vale solo per questa:{' '}
      <Link to={`/shows/${encodeURIComponent(showId)}/edit`}>cambia per tutte le date</Link>.
    </Notice>
  );
}

interface SectionsProps {
  section: SectionProps;
  creating: boolean;
  held: DeskEvent | null;
}

function Sections({ section, creating, held }: SectionsProps) {
  return (
    <div className={sectionStyles.sections}>
      <Texts section={section} creating={creating} />
      <When section={section} />
      <Where section={section} />
      <Pictures section={section} />
      <Prices
        section={section}
        eventKey={held?.seatsio_event_key ?? null}
        fixed={(held?.orders ?? 0) > 0 ? 'Ci sono già ordini: non si può più cambiare.' : null}
        newPlaces={held?.new_places ?? 0}
        typedAt={held && `/events/${encodeURIComponent(held.id)}/prices`}
      />
      <Surcharges section={section} />
      <Wholes section={section} held={held} />
      <Rules section={section} />
      <Terms section={section} />
    </div>
  );
}

function noteOf(held: DeskEvent | null, justSaved: boolean): string {
  if (held?.status === 'cancelled') return 'L’evento è annullato: non si può più cambiare.';
  return justSaved && held !== null ? `Salvato alle ${formatTime(held.updated_at)}` : '';
}

function saveLabelOf(held: DeskEvent | null): string {
  if (held === null) return 'Crea la bozza';
  return held.status === 'published' ? 'Salva: si vede subito' : 'Salva la bozza';
}

interface QuestionsProps {
  form: ReturnType<typeof useEventForm>;
  question: Question;
}

function Questions({ form, question }: QuestionsProps) {
  const onClose = () => form.ask(null);
  switch (question.about) {
    case 'theirs':
      return (
        <Conflict
          onTheirs={() => form.takeTheirs(question.theirs)}
          onMine={() => form.save({ version: question.theirs.version })}
          onClose={onClose}
        />
      );
    case 'buyers':
      return (
        <BuyersQuestion
          buyers={question.buyers}
          onTell={() => form.save({ ...question.more, tell_buyers: question.buyers }, true)}
          onClose={onClose}
        />
      );
    case 'met':
      return (
        <MetQuestion
          seen={question.seen}
          onSave={(answers) => form.save({ ...question.more, ...answers }, true)}
          onClose={onClose}
        />
      );
    case 'discard':
      return <DiscardQuestion onDiscard={form.discard} onClose={onClose} />;
  }
}
