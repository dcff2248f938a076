/** The first step: choose the new hall. It changes nothing yet. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listCharts } from '#server/contract/charts.ts';
import { proposeRehousing } from '#server/contract/rehousings.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { ListSearchField, NothingFound, useListSearch } from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { PlaceStep } from './place-step.tsx';
import type { Plan } from './plan.ts';
import { useStorePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

type Chart = ReplyOf<typeof listCharts>['items'][number];

interface ChooseHallProps {
  eventId: string;
  chartNow: string | null;
  /** An existing plan, which a new choice would replace. */ plan: Plan | null;
  onChosen: () => void;
  onBack: (() => void) | undefined;
}

export function ChooseHall({ eventId, chartNow, plan, onChosen, onBack }: ChooseHallProps) {
  const search = useListSearch();
  const charts = usePages(listCharts, { query: search.query }, 60_000);
  const [chart_key, setChart] = useState<string | null>(null);
  const [asksPlace, setAsksPlace] = useState(false);
  const sending = useSubmit(async () => setAsksPlace(true));
  if (asksPlace && chart_key !== null)
    return (
      <AskPlace {...{ eventId, chart_key, plan, onChosen }} onBack={() => setAsksPlace(false)} />
    );
  return (
    <form className={styles.choose} onSubmit={sending.submit}>
      <Notice>
        Scegli la sala: il sito propone un posto a chi ha già il biglietto, e tu puoi cambiarlo. Non
        succede niente finché non avvii il cambio; dall’avvio alla fine la vendita si ferma, e
        blocchi e contingenti della vecchia sala finiscono.
        {plan !== null && ' Con un’altra sala la proposta si rifà da capo.'}
      </Notice>
      <ListSearchField search={search} label="Cerca la sala per nome" hint="Nome della sala" />
      <PagedList pages={charts}>
        {(rows) =>
          rows.length === 0 ? (
            <NothingFound search={search} title="Nessuna sala con questo nome." />
          ) : (
            <fieldset className={styles.halls}>
              <legend className="visually-hidden">Nuova sala</legend>
              {rows.map((chart) => (
                <HallCard
                  key={chart.key}
                  chart={chart}
                  isNow={chart.key === chartNow}
                  chosen={chart.key === chart_key}
                  onChoose={() => setChart(chart.key)}
                />
              ))}
            </fieldset>
          )
        }
      </PagedList>
      <FormActions
        busy={sending.busy}
        failure={sending.failure}
        onCancel={onBack}
        disabled={chart_key === null}
        submitLabel="Avanti"
      />
    </form>
  );
}

interface AskPlaceProps extends Pick<ChooseHallProps, 'eventId' | 'plan' | 'onChosen'> {
  chart_key: string;
  onBack: () => void;
}

/** The place is asked before the seats are proposed. */
function AskPlace({ eventId, chart_key, plan, onChosen, onBack }: AskPlaceProps) {
  const act = useAct();
  const { keepProposal } = useStorePlan(eventId);
  return (
    <PlaceStep
      eventId={eventId}
      chart_key={chart_key}
      news={plan?.chart_key === chart_key ? plan.news : null}
      submitLabel="Proponi i posti"
      busyLabel="Cerco i posti…"
      onBack={onBack}
      onNews={async (news) => {
        const body = { chart_key, news };
        await keepProposal(await act(proposeRehousing, { params: { eventId }, body }));
        onChosen();
      }}
    />
  );
}

interface HallCardProps {
  chart: Chart;
  isNow: boolean;
  chosen: boolean;
  onChoose: () => void;
}

function HallCard({ chart, isNow, chosen, onChoose }: HallCardProps) {
  return (
    <label className={styles.hall}>
      <span className={styles.picture}>
        {chart.thumbnail === null ? (
          <Icon name="map" size={40} />
        ) : (
          <img src={chart.thumbnail} alt="" />
        )}
      </span>
      <span className={styles.hallName}>
        <input type="radio" name="hall" checked={chosen} disabled={isNow} onChange={onChoose} />
        <span>
          <b>{chart.name}</b>
          <span className={`${textStyles.soft} ${textStyles.block}`}>
            {chart.places === null
              ? 'Posti non contati'
              : formatCount(chart.places, 'posto', 'posti')}
            {isNow && ' · sala attuale'}
          </span>
        </span>
      </span>
    </label>
  );
}
