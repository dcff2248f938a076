/** Starts the public site: theme, data cache, routes. */
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './booking.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { makeQueryClient } from '#apps/shared/query.ts';
import { RouterErrorBoundary } from '#apps/shared/ui/router-error.tsx';
import { BookingRoutes } from './routes.tsx';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={makeQueryClient()}>
      <RouterErrorBoundary>
        <BrowserRouter>
          <BookingRoutes />
        </BrowserRouter>
      </RouterErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
);
