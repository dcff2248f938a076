/** An order's page as its buyer sees it, to look at: nothing on it can be pressed. */
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { CallError } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { viewAsBuyer } from '#server/contract/order/links.ts';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { ConfirmedOrder } from './confirmed.tsx';
import { OrderFacts } from './page.tsx';
import { PendingOrder } from './pending.tsx';
import { orderStageOf } from './stage.ts';
import state from './state.module.css';

export function OrderPreview() {
  const { orderId = '' } = useParams();
  const [since] = useState(() => Date.now());
  const inBrowser = useInBrowser();
  const page = useEndpoint(viewAsBuyer, { params: { orderId } }, { enabled: inBrowser });
  usePageTitle('Come lo vede l’acquirente');
  if (page.isPending)
    return (
      <main tabIndex={-1}>
        <Spinner fullScreen />
      </main>
    );
  if (page.data === undefined)
    return (
      <PlainPage>
        <ErrorView
          detail={page.error instanceof CallError ? page.error.message : undefined}
          isPage
        />
      </PlainPage>
    );
  const order = page.data;
  const stage = orderStageOf(order, false);
  const about = { order, onChanged: async () => {} };
  return (
    <PlainPage>
      <h1 className="visually-hidden">Come lo vede l’acquirente</h1>
      <p className={state.saved}>
        Questa è la pagina dell’acquirente, solo da guardare: i pulsanti non fanno nulla, e mancano
        le richieste di rimborso e fattura.
      </p>
      <div inert className={state.looked}>
        {stage === 'confirmed' ? (
          <ConfirmedOrder {...about} saved={null} forDoor={false} />
        ) : (
          <PendingOrder {...about} stage={stage} since={since} />
        )}
        <OrderFacts order={order} />
      </div>
    </PlainPage>
  );
}
