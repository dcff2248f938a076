/** How an event's takings are certified, its VAT, and the seals that its tickets lack. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readEvent } from '#server/contract/event-desk.ts';
import { readSeals } from '#server/contract/papers.ts';
import { readEvening } from '#server/contract/summaries.ts';
import { needsSeals, regimeNames } from '#server/domain/papers/regime.ts';
import { vatWords } from '#server/domain/papers/vat.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';

interface TaxProps {
  eventId: string;
  form: Pick<
    ReplyOf<typeof readEvent>['form'],
    'regime' | 'vat_percent' | 'fee_vat_percent' | 'service_vat_percent'
  >;
}

function useSeals({ eventId, form }: TaxProps) {
  const may = useMay(readSeals.who);
  const enabled = may && needsSeals(form);
  return useEndpoint(readSeals, { params: { eventId } }, { enabled, refetchInterval: 30_000 });
}

export function TaxFacts({ eventId, form }: TaxProps) {
  const seals = useSeals({ eventId, form }).data;
  const maySum = useMay(readEvening.who);
  const event = encodeURIComponent(eventId);
  return (
    <Panel>
      <h2>Fisco</h2>
      <Facts>
        <Fact name="Regime">{regimeNames[form.regime]}</Fact>
        <Fact name="IVA biglietti">{vatWords(form.vat_percent)}</Fact>
        <Fact name="IVA prevendita">{vatWords(form.fee_vat_percent)}</Fact>
        <Fact name="IVA commissione">{vatWords(form.service_vat_percent)}</Fact>
        {seals !== undefined && (
          <Fact name="Sigilli">
            <Link to={`/events/${event}/seals`}>
              {seals.sealed.toLocaleString('it-IT')} di {seals.tickets.toLocaleString('it-IT')}
            </Link>
          </Fact>
        )}
      </Facts>
      {maySum && (
        <p className={textStyles.links}>
          <Link to={`/reports/summaries?event_id=${event}`}>Riepilogo della serata</Link>
        </p>
      )}
    </Panel>
  );
}

export function MissingSeals({ eventId, form }: TaxProps) {
  const missing = useSeals({ eventId, form }).data?.missing ?? 0;
  if (missing === 0) return null;
  return (
    <Notice tone="warn">
      <strong>
        {missing === 1
          ? 'A un biglietto manca il sigillo.'
          : `A ${formatCount(missing, 'biglietto', 'biglietti')} manca il sigillo.`}
      </strong>{' '}
      <Link to={`/events/${encodeURIComponent(eventId)}/seals`}>Importa i sigilli</Link>
    </Notice>
  );
}
