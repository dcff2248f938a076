/**
 * The first question of a change of hall: as which old category each new one is sold, with the
 * money that hangs on it.
 */
import { useEffect, useState } from 'react';
import { proposeRehousing, quoteCategories } from '#server/contract/rehousings.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Choice } from '#apps/admin/kit/list/filters.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { quoteOfPlan, type Plan } from './plan.ts';
import { useStorePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

type Quote = ReplyOf<typeof quoteCategories>;

export function Categories({ eventId, plan }: { eventId: string; plan: Plan }) {
  const act = useAct();
  const { keepProposal } = useStorePlan(eventId);
  const [as, setAs] = useState(() =>
    Object.fromEntries(plan.categories.map(({ key, sold_as }) => [key, sold_as ?? ''])),
  );
  const isSame = plan.categories.every(({ key, sold_as }) => as[key] === (sold_as ?? ''));
  const categories = Object.fromEntries(Object.entries(as).filter(([, name]) => name !== ''));
  const body = { chart_key: plan.chart_key, categories, first: plan.placed_first };
  const { quote, failure } = useQuote(eventId, isSame ? null : body);
  const shown = isSame ? quoteOfPlan(plan) : quote;
  return (
    <Panel aria-labelledby="categories">
      <h3 id="categories">1. Come si vendono le categorie della nuova sala</h3>
      <p className={textStyles.soft}>
        Da qui dipendono i posti e il denaro: chi passa a una categoria meno cara può riavere la
        differenza.
      </p>
      <div className={styles.categories}>
        {plan.categories.map(({ key, label }) => (
          <div key={key}>
            <span>
              <b>{label}</b> si vende come
            </span>
            <Choice
              label={`${label} si vende come`}
              all="Non in vendita"
              value={as[key] ?? ''}
              options={plan.sold_categories.map((name) => [name, name])}
              onChange={(name) => setAs({ ...as, [key]: name })}
            />
            <CostOf quote={shown} category={key} />
          </div>
        ))}
        <p role="status">
          <Total quote={shown} isSame={isSame} failed={failure !== null} />
        </p>
        <FailureNotice text={failure} />
        <AskButton
          label="Rifai la proposta…"
          disabled={isSame}
          title="Rifare la proposta?"
          text="Con queste categorie i posti si propongono da capo: le scelte fatte a mano si perdono."
          confirmLabel="Rifai la proposta"
          onConfirm={async () =>
            keepProposal(await act(proposeRehousing, { params: { eventId }, body }))
          }
        />
      </div>
    </Panel>
  );
}

interface Asked {
  chart_key: string;
  categories: Record<string, string>;
  first: Plan['placed_first'];
}

/** Asks anew for each choice; an answer to an earlier one is dropped. */
function useQuote(eventId: string, body: Asked | null) {
  const act = useAct();
  const [answer, setAnswer] = useState<{
    asked: string;
    quote: Quote | null;
    failure: string | null;
  }>();
  const asked = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    if (asked === null) return;
    let isCurrent = true;
    const keep = (quote: Quote | null, failure: string | null) => {
      if (isCurrent) setAnswer({ asked, quote, failure });
    };
    act(quoteCategories, { params: { eventId }, body: JSON.parse(asked) as Asked }).then(
      (quote) => keep(quote, null),
      (error: unknown) => keep(null, tellFailure(error)),
    );
    return () => {
      isCurrent = false;
    };
    // `act` is made anew at each drawing.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asked, eventId]);
  return answer?.asked === asked && asked !== null ? answer : { quote: null, failure: null };
}

function CostOf({ quote, category }: { quote: Quote | null; category: string }) {
  const own = quote?.categories.find(({ key }) => key === category);
  if (own === undefined) return <span className={textStyles.soft}>…</span>;
  return (
    <span className={textStyles.soft}>
      {formatCount(own.tickets, 'biglietto', 'biglietti')}
      {own.refund_cents > 0 && `, ${formatEuro(own.refund_cents)} di differenze`}
    </span>
  );
}

function Total({
  quote,
  isSame,
  failed,
}: {
  quote: Quote | null;
  isSame: boolean;
  failed: boolean;
}) {
  if (quote === null) return failed ? '' : 'Calcolo quanto costa…';
  const { lower, better, unplaced, refund_cents } = quote;
  const parts = [
    `${formatCount(lower, 'biglietto scende', 'biglietti scendono')} di categoria`,
    `${formatCount(better, 'sale', 'salgono')}`,
    `${formatCount(unplaced, 'resta', 'restano')} senza posto`,
  ];
  return (
    <>
      {isSame ? 'Ora' : 'Con questa scelta'}: {parts.join(', ')};{' '}
      <b>{formatEuro(refund_cents)} di differenze da rimborsare</b>.
    </>
  );
}
