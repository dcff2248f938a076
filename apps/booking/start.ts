/**
 * The first script of the public site: it lets the server's page be painted before it fetches the
 * app.
 */
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './shell/base.css';

requestAnimationFrame(() =>
  setTimeout(async () => {
    // The files are fetched together (server/http/late-parts.ts) but run one by one, so that a
    // phone can respond in between.
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=late]'))
      link.rel = 'modulepreload';
    await import('react-dom/client');
    setTimeout(() => {
      void import('./main.tsx');
    });
  }),
);
