/** The title of the browser's tab: what the screen shows, then the site. */
import { useEffect } from 'react';
import { useDrawnPage } from './page-data.ts';
import { useSite } from '#apps/booking/shell/site.ts';

export function usePageTitle(title: string | null) {
  // The server draws once and runs no effects, so the title is told while drawing.
  useDrawnPage().onTitle?.(title);
  const site = useSite();
  useEffect(() => {
    document.title =
      title === null
        ? `${site.name} – biglietti per spettacoli ed eventi`
        : `${title} · ${site.name}`;
  }, [title, site.name]);
}
