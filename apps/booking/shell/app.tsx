/** The public site around its routes, the same on the server and in the browser. */
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, useMemo, type ReactNode } from 'react';
import { RouterErrorBoundary } from '#apps/shared/ui/router-error.tsx';
import {
  DrawnPageContext,
  type DrawnPage,
  type PageData,
} from '#apps/booking/shell/page/page-data.ts';

interface AppProps {
  queryClient: QueryClient;
  data: PageData;
  onTitle?: DrawnPage['onTitle'];
  /** The router and its routes. */ children: ReactNode;
}

export function App({ queryClient, data, onTitle, children }: AppProps) {
  const drawn = useMemo<DrawnPage>(
    () => ({ data, ...(onTitle === undefined ? {} : { onTitle }) }),
    [data, onTitle],
  );
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <DrawnPageContext value={drawn}>
          <RouterErrorBoundary>{children}</RouterErrorBoundary>
        </DrawnPageContext>
      </QueryClientProvider>
    </StrictMode>
  );
}
