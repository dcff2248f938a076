/** Edits what all dates of a show share, with a preview of each date. */
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { changeShow, previewShow, readShow } from '#server/contract/shows.ts';
import { CallError } from '#apps/shared/api.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { sharedOf } from '#server/domain/event/show.ts';
import { FaultSummary } from '#apps/admin/event/form/answers.tsx';
import { Pictures } from '#apps/admin/event/form/pictures.tsx';
import { Prices } from '#apps/admin/event/form/prices.tsx';
import { Surcharges } from '#apps/admin/event/form/surcharges.tsx';
import { Rules } from '#apps/admin/event/form/rules.tsx';
import { Terms, Texts, Where } from '#apps/admin/event/form/texts.tsx';
import {
  eventBodyOf,
  areSameEvents,
  eventValuesOf,
  type EventValues,
} from '#apps/admin/event/form/values.ts';
import { checkValues, faultsOfRefusal } from '#apps/admin/event/form/faults.ts';
import { goToField, type Faults } from '#apps/admin/kit/form/form-section.tsx';
import { SaveBar } from '#apps/admin/kit/form/save-bar.tsx';
import { useUnsavedGuard } from '#apps/admin/kit/form/unsaved-guard.tsx';
import { useFormQuery } from '#apps/admin/kit/form/form-query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import sectionStyles from '#apps/admin/kit/form/form-section.module.css';
import { ChangePreview, type SeenChange } from './change-preview.tsx';

type Show = ReplyOf<typeof readShow>;
type ShowForm = Asked<typeof changeShow>['body']['form'];

export function EditShowScreen() {
  const { showId } = useParams() as { showId: string };
  const show = useFormQuery(readShow, { params: { showId } });
  return (
    <>
      <BackLink to={`/shows/${encodeURIComponent(showId)}`}>Spettacolo</BackLink>
      <Loaded query={show}>{(data) => <ShowForm key={data.id} show={data} />}</Loaded>
    </>
  );
}

/** The values for the event form's fields; a show has no times. */
function valuesOfShow(show: Show): EventValues {
  return eventValuesOf({ id: show.id, form: { ...emptyForm, ...show.form, starts_at: null } });
}

/** The conversion needs a start, but a show has none, so any day does. */
function formOf(values: EventValues): ShowForm {
  const anyDay = { date: '2026-01-01', time: '21:00', second: false };
  return sharedOf(eventBodyOf({ ...values, starts_at: anyDay }));
}

function useShowForm(show: Show) {
  const act = useAct();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [saved] = useState(() => valuesOfShow(show));
  const [values, setValues] = useState(saved);
  const [faults, setFaults] = useState<Faults>({});
  const [seen, setSeen] = useState<SeenChange | null>(null);
  const [done, setDone] = useState(false);
  const params = { showId: show.id };

  async function look() {
    const { starts_at: _, ...found } = checkValues(values, false);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      setSeen(await act(previewShow, { params, body: formOf(values) }));
    } catch (error) {
      setFaults(faultsOfRefusal(error, values));
    }
  }

  async function save(more: { ask_names_by?: string }) {
    if (seen === null) return;
    const dates = seen.dates.map(({ id, version }) => ({ id, version }));
    const body = {
      version: show.version,
      dates,
      tell_buyers: seen.buyers,
      ...more,
      form: formOf(values),
    };
    try {
      await act(changeShow, { params, body });
    } catch (error) {
      // The dialog itself reports that the show has changed.
      if (error instanceof CallError && error.code === 'show_changed') throw error;
      setSeen(null);
      return setFaults(faultsOfRefusal(error, values));
    }
    setDone(true);
    refresh();
    await navigate(`/shows/${encodeURIComponent(show.id)}`);
  }

  return {
    values,
    faults,
    seen,
    dirty: !done && !areSameEvents(values, saved),
    set: (change: Partial<EventValues>) => setValues((now) => ({ ...now, ...change })),
    discard: () => setValues(saved),
    look,
    save,
    close: () => setSeen(null),
  };
}

function ShowForm({ show }: { show: Show }) {
  const form = useShowForm(show);
  const [round, setRound] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  const faulty = Object.keys(form.faults).length > 0;
  useEffect(() => {
    if (faulty) summary.current?.focus();
  }, [faulty]);
  const guard = useUnsavedGuard(form.dirty && form.seen === null);
  const section = { values: form.values, faults: form.faults, set: form.set };
  return (
    <form className={sectionStyles.form} noValidate onSubmit={(submit) => submit.preventDefault()}>
      <PageTitle title={`Tutte le date di «${show.title}»`} />
      <Intro>
        Quello che cambi qui vale per tutte le date future, tranne dove una data ha il suo. I
        biglietti già venduti tengono il loro prezzo.
      </Intro>
      {faulty && <FaultSummary ref={summary} faults={form.faults} onGo={goToField} />}
      <div className={sectionStyles.sections} key={round}>
        <Texts section={section} creating={false} address={false} />
        <Where section={section} />
        <Pictures section={section} />
        <Prices
          section={section}
          eventKey={show.dates.at(-1)?.id ?? null}
          fixed="La scegli in ogni data."
          newPlaces={0}
          typedAt={`/shows/${encodeURIComponent(show.id)}/prices`}
        />
        <Surcharges section={section} />
        <Rules section={section} />
        <Terms section={section} />
      </div>
      <SaveBar
        dirty={form.dirty}
        note=""
        saveLabel="Guarda che cosa cambia"
        onSave={form.look}
        onDiscard={() => {
          form.discard();
          setRound(round + 1);
        }}
      />
      {guard}
      {form.seen !== null && (
        <ChangePreview seen={form.seen} onSave={form.save} onClose={form.close} />
      )}
    </form>
  );
}
