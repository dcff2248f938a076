/**
 * The first script of the public site: the page is painted as the server has drawn it, and only
 * then the app is fetched.
 */
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './shell/base.css';

requestAnimationFrame(() =>
  setTimeout(async () => {
    // All files of this page are fetched at once (server/http/late-parts.ts) but run one after
    // the other, so that a phone can respond in between.
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=late]'))
      link.rel = 'modulepreload';
    await import('react-dom/client');
    setTimeout(() => {
      void import('./main.tsx');
    });
  }),
);
