/** A page that only the office looks at: it waits for its content, or says why there is none. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError } from '#apps/shared/api.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { usePageTitle } from './page-title.ts';
import { PlainPage } from './plain-page.tsx';

interface PreviewedProps<T> {
  title: string;
  page: UseQueryResult<T, Error>;
  children: (content: T) => ReactNode;
}

export function Previewed<T>({ title, page, children }: PreviewedProps<T>) {
  usePageTitle(title);
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
  return children(page.data);
}

function tellWhy(error: Error | null): string {
  return error instanceof CallError && error.code !== 'unexpected'
    ? error.message
    : 'L’anteprima non si è caricata: riprova tra poco.';
}
