/** The first script of the public site: the page is painted as the server has drawn it, and only then the app is fetched. */
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './booking.css';
import './page-footer.css';
import './tickets.css';

requestAnimationFrame(() => setTimeout(() => {
  // All files of this page at once (server/http/late-parts.ts); each would name the next only when it is here.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=late]')) link.rel = 'modulepreload';
  void import('react-dom');
  void import('./main.tsx');
}));
