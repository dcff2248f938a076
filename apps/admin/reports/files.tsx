/** Downloads: orders as a file, and visits of the public site. */
import { addressOf } from '#server/contract/endpoint.ts';
import { exportOrders } from '#server/contract/order/orders.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Visits } from './visits.tsx';

export function FilesScreen() {
  return (
    <>
      <PageTitle title="File e visite" />
      {useMay('export_orders') && <OrdersFile />}
      <Visits />
    </>
  );
}

function OrdersFile() {
  return (
    <Panel aria-labelledby="orders-file">
      <h2 id="orders-file">Ordini</h2>
      <p className={textStyles.soft}>
        Tutti gli ordini in un file. Per una parte sola, scegli i filtri in «Ordini» e scarica da
        lì.
      </p>
      <p className={textStyles.links}>
        <a href={addressOf(exportOrders, {}, { format: 'excel' })} download>
          <Icon name="download" size={16} /> CSV (Excel italiano)
        </a>
        <a href={addressOf(exportOrders, {}, { format: 'plain' })} download>
          CSV
        </a>
      </p>
    </Panel>
  );
}
