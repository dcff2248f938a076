/** The title of the browser's tab: the screen's title, then the site's name. */
import { useEffect } from 'react';
import { useDrawnPage } from './page-data.ts';
import { useSite } from '#apps/booking/shell/site.ts';

export function usePageTitle(title: string | null) {
  // The server runs no effects, so it gets the title during the render.
  useDrawnPage().onTitle?.(title);
  const site = useSite();
  useEffect(() => {
    document.title =
      title === null
        ? `${site.name} – biglietti per spettacoli ed eventi`
        : `${title} · ${site.name}`;
  }, [title, site.name]);
}
