/** Starts the office in the browser. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { makeQueryClient } from '#apps/shared/query.ts';
import { RouterErrorBoundary } from '#apps/shared/ui/router-error.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './shell/base.css';
import { AdminRoutes } from './routes.tsx';
import { keepDataOffline } from './shell/line.tsx';
import { watchSession } from './kit/session/session.ts';
import { startTheme } from './shell/theme.ts';

startTheme();
const client = makeQueryClient();
keepDataOffline(client);
watchSession(client);

createRoot(requireValue(document.getElementById('root'), 'root')).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      {/* Within a React transition a ticked box would look unticked until the list is drawn. */}
      <BrowserRouter basename="/admin" useTransitions={false}>
        <RouterErrorBoundary>
          <AdminRoutes />
        </RouterErrorBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
