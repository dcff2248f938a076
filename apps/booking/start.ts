/** The first script of the public site: the page is painted as the server has drawn it, and only then the app is fetched. */
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './booking.css';
import './page-footer.css';

requestAnimationFrame(() => setTimeout(() => { void import('./main.tsx'); }));
