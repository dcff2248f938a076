/** The title of the browser's tab: what the screen shows, then the site. */
import { useEffect } from 'react';
import { site } from './site.ts';

export function usePageTitle(title: string | null) {
  useEffect(() => {
    document.title = title === null ? site.name : `${title} · ${site.name}`;
  }, [title]);
}
