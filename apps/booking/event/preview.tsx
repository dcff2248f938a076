/** What only the office may look at: a draft's page, and an order's page as its buyer sees it. */
import { useParams } from 'react-router-dom';
import { CallError } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { previewPage } from '#server/contract/event-preview.ts';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
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
  usePageTitle('Anteprima');
  if (page.isPending)
    return (
      <main tabIndex={-1}>
        <Spinner fullScreen />
      </main>
    );
  if (page.data === undefined)
    return (
      <PlainPage>
        <ErrorView detail={tellWhy(page.error)} isPage />
      </PlainPage>
    );
  return page.data.event.status === 'draft' ? (
    <LoadedEvent key={eventId} page={page.data} />
  ) : (
    <PlainPage>
      <p>
        Questo evento non è una bozza: guarda{' '}
        <a href={`/event/${encodeURIComponent(eventId)}`}>la sua pagina</a>.
      </p>
    </PlainPage>
  );
}

function tellWhy(error: Error | null): string {
  return error instanceof CallError && error.code !== 'unexpected'
    ? error.message
    : 'L’anteprima non si è caricata: riprova tra poco.';
}
