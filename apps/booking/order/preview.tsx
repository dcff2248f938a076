/** An order's page as its buyer sees it, to look at: nothing on it can be pressed. */
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { useEndpoint } from '#apps/shared/query.ts';
import { viewAsBuyer } from '#server/contract/order/links.ts';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { Previewed } from '#apps/booking/shell/page/previewed.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { ConfirmedOrder } from './confirmed.tsx';
import { OrderFacts } from './order-facts.tsx';
import { PendingOrder } from './pending.tsx';
import { orderStageOf } from './stage.ts';
import state from './state.module.css';

const title = 'Come lo vede l’acquirente';

export function OrderPreview() {
  const { orderId = '' } = useParams();
  const inBrowser = useInBrowser();
  const page = useEndpoint(viewAsBuyer, { params: { orderId } }, { enabled: inBrowser });
  return (
    <Previewed title={title} page={page}>
      {(order) => <BuyersPage order={order} />}
    </Previewed>
  );
}

function BuyersPage({ order }: { order: OrderReply }) {
  const [since] = useState(() => Date.now());
  const stage = orderStageOf(order, false);
  const about = { order, onChanged: async () => {} };
  return (
    <PlainPage>
      <h1 className="visually-hidden">{title}</h1>
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
