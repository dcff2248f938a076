/** Takes over the page that the server has drawn, or draws it if the server has not. */
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { makeQueryClient } from '#apps/shared/query.ts';
import { App } from './shell/app.tsx';
import { fillCache, readPageData } from '#apps/booking/shell/page/page-data.ts';
import { BookingRoutes, loadDrawn } from './routes.tsx';
import { startWatching } from './consent/watch.ts';

async function begin(): Promise<void> {
  const root = document.getElementById('root') ?? document.body;
  const data = readPageData();
  // On a slow connection the cache would drop the page's data before the screen has loaded.
  if (data !== null) await loadDrawn(data);
  await nextTask();
  // The router would do this while drawing, in one long task.
  if (history.state?.idx === undefined) history.replaceState({ ...history.state, idx: 0 }, '');
  await nextTask();
  const queryClient = makeQueryClient();
  if (data !== null) fillCache(queryClient, data);
  const app = (
    <App queryClient={queryClient} data={data ?? { now: Date.now() }}>
      <BrowserRouter>
        <BookingRoutes />
      </BrowserRouter>
    </App>
  );
  if (data !== null && root.firstElementChild !== null) hydrateRoot(root, app);
  else createRoot(root).render(app);
  void startWatching(queryClient);
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

void begin();
