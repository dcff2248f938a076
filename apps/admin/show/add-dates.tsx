/** Adds dates to a show by a rule: days of the week and hours, then a preview. */
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { makeDates, previewDates, readShow } from '#server/contract/shows.ts';
import { formatCount, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Choice } from '#apps/admin/kit/list/filters.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { firstRule, ruleFault, RuleFields, seriesOf, type RuleValues } from './rule-fields.tsx';

type Show = ReplyOf<typeof readShow>;
type Plan = ReplyOf<typeof previewDates>['items'];

export function AddDatesScreen() {
  const { showId } = useParams() as { showId: string };
  const show = useEndpoint(readShow, { params: { showId } }, { refetchOnWindowFocus: false });
  return (
    <>
      <BackLink to={`/shows/${encodeURIComponent(showId)}`}>Spettacolo</BackLink>
      <Loaded query={show}>{(data) => <AddDates show={data} />}</Loaded>
    </>
  );
}

function AddDates({ show }: { show: Show }) {
  const act = useAct();
  const [values, setValues] = useState(firstRule);
  const [plan, setPlan] = useState<Plan | null>(null);
  const last = show.dates.at(-1);
  const [like, setLike] = useState(last?.id ?? '');

  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    const fault = ruleFault(values);
    if (fault !== null) return setFailure(fault);
    const { items } = await act(previewDates, {
      params: { showId: show.id },
      body: seriesOf(values),
    });
    setPlan(items);
  });

  function change(next: RuleValues) {
    setValues(next);
    setPlan(null);
  }
  if (last === undefined)
    return (
      <Empty icon="calendar" title="Serve una prima data.">
        <p>Le nuove date prendono da lei la pianta e gli orari della serata.</p>
      </Empty>
    );
  return (
    <>
      <PageTitle title={`Nuove date di «${show.title}»`} />
      <Panel wide>
        <form className={formStyles.stack} onSubmit={submit} noValidate>
          <RuleFields values={values} onChange={change} />
          <div>
            <span className="ui-field-label" aria-hidden="true">
              Pianta e orari della serata come
            </span>
            <Choice
              label="Pianta e orari della serata come"
              value={like}
              onChange={setLike}
              options={show.dates.map((date) => [date.id, formatShortDate(date.starts_at)])}
            />
          </div>
          <FormActions busy={busy} failure={failure} submitLabel="Mostra le date" />
        </form>
      </Panel>
      {plan !== null && <PlannedDates show={show} like={like} plan={plan} />}
    </>
  );
}

const obstacleWords = { past: 'già passata', exists: 'c’è già' };

function PlannedDates({ show, like, plan }: { show: Show; like: string; plan: Plan }) {
  const change = useChange();
  const navigate = useNavigate();
  const [left, setLeft] = useState<readonly string[]>([]);
  const free = plan.filter(({ obstacle }) => obstacle === null).map(({ starts_at }) => starts_at);
  const starts = free.filter((at) => !left.includes(at));

  const { busy, failure, submit } = useSubmit(async () => {
    await change(makeDates, { params: { showId: show.id }, body: { like, starts } });
    await navigate(`/shows/${encodeURIComponent(show.id)}`);
  });
  if (plan.length === 0)
    return (
      <Empty icon="calendar" title="Con questa regola non c’è nessuna data.">
        <p>Controlla i giorni della settimana e il periodo.</p>
      </Empty>
    );
  return (
    <Panel wide aria-labelledby="planned">
      <h2 id="planned" aria-live="polite">
        {formatCount(starts.length, 'data nuova', 'date nuove')}
      </h2>
      <form className={formStyles.stack} onSubmit={submit}>
        {plan.map(({ starts_at, obstacle }) => (
          <Check
            key={starts_at}
            small
            label={formatShortDate(starts_at)}
            hint={obstacle === null ? undefined : obstacleWords[obstacle]}
            disabled={obstacle !== null}
            checked={starts.includes(starts_at)}
            onChange={(wanted) =>
              setLeft(wanted ? left.filter((at) => at !== starts_at) : [...left, starts_at])
            }
          />
        ))}
        <p className={textStyles.soft}>
          Nascono bozze: testi, prezzi e regole sono quelli dello spettacolo. Le pubblichi tu, una
          per una.
        </p>
        <FormActions
          busy={busy}
          failure={failure}
          disabled={starts.length === 0}
          submitLabel={`Crea ${formatCount(starts.length, 'data', 'date')}`}
        />
      </form>
    </Panel>
  );
}
