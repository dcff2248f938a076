/** What only the office may look at: a draft's page, and an order's page as its buyer sees it. */
import { useParams } from 'react-router-dom';
import { useEndpoint } from '#apps/shared/query.ts';
import { previewPage } from '#server/contract/event-preview.ts';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import { Previewed } from '#apps/booking/shell/page/previewed.tsx';
import { OrderPreview } from '#apps/booking/order/preview.tsx';
import { LoadedEvent } from './page.tsx';

export function PreviewPage() {
  const { orderId } = useParams();
  return orderId === undefined ? <DraftPreview /> : <OrderPreview />;
}

function DraftPreview() {
  const { eventId = '' } = useParams();
  const inBrowser = useInBrowser();
  const page = useEndpoint(previewPage, { params: { eventId } }, { enabled: inBrowser });
  return (
    <Previewed title="Anteprima" page={page}>
      {(content) =>
        content.event.status === 'draft' ? (
          <LoadedEvent key={eventId} page={content} />
        ) : (
          <PlainPage>
            <p>
              Questo evento non è una bozza: guarda{' '}
              <a href={`/event/${encodeURIComponent(eventId)}`}>la sua pagina</a>.
            </p>
          </PlainPage>
        )
      }
    </Previewed>
  );
}
