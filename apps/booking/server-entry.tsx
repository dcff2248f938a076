/**
 * Draws a page of the public site on the server: built for Node by apps/build.ts, loaded by
 * server/http/pages.ts.
 */
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { makeQueryClient } from '#apps/shared/query.ts';
import { hearDates } from '#server/domain/time/dates.ts';
import { App } from './shell/app.tsx';
import { DateStrip } from './event/date-strip.tsx';
import dateStyles from './event/date-strip.late.module.css';
import { dateStrip } from './event/page.tsx';
import { Home } from './home/home.tsx';
import { LegalPage } from './legal/page.tsx';
import { MyTickets } from './home/my-tickets.tsx';
import { OrderPage } from './order/page.tsx';
import { PreviewPage } from './event/preview.tsx';
import { ReminderPage } from './reminder/page.tsx';
import { fillCache, pageDataId, type PageData } from '#apps/booking/shell/page/page-data.ts';
import { escapeJson, headOf } from '#apps/booking/shell/page/page-head.ts';
import { BookingRoutes } from './routes.tsx';
import { UnknownPage } from '#apps/booking/shell/page/unknown-page.tsx';

dateStrip.Part = DateStrip;
/** The late style of the dates, which the browser gets with their script; the build names it. */
const { sheet = '' } = dateStyles;

interface DrawRequest {
  /** Begins with a slash, without query. */ path: string;
  publicUrl: string;
  /** False for an address without content. */ indexed: boolean;
  data: PageData;
}
interface DrawnHtml {
  /** Goes into <head>. */ head: string;
  /** Goes into the root element. */ body: string;
  /** Goes after the root element. */ data: string;
}

export function drawPage({ path, publicUrl, indexed, data }: DrawRequest): DrawnHtml {
  const queryClient = makeQueryClient();
  fillCache(queryClient, data);
  let title: string | null = null;
  const { result: body, dates } = hearDates(() =>
    renderToString(
      <App
        queryClient={queryClient}
        data={data}
        onTitle={(said) => {
          title = said;
        }}
      >
        <StaticRouter location={path}>
          <BookingRoutes
            screens={{
              Home,
              LegalPage,
              OrderPage,
              PreviewPage,
              MyTickets,
              ReminderPage,
              UnknownPage,
            }}
          />
        </StaticRouter>
      </App>,
    ),
  );
  // Clears the cache, whose timers would otherwise keep running.
  queryClient.clear();
  return {
    head: `${headOf({ path, publicUrl, title, indexed, data })}${data.event?.other_dates.length ? `<style>${sheet}</style>` : ''}`,
    body,
    data: `<script type="application/json" id="${pageDataId}">${escapeJson({ ...data, dates })}</script>`,
  };
}
