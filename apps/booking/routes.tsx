/** The public addresses (specification §2) and what shows at each. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { NotFound } from '#apps/shared/ui/not-found.tsx';
import { legalNames, legalPaths } from '#server/domain/legal-names.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { EventPage } from './event-page.tsx';
import { Home } from './home.tsx';
import { LegalPage } from './legal-page.tsx';
import { usePageTitle } from './page-title.ts';
import { trackPageview } from './watch.ts';

// Whoever looks at an event does not need the QR drawing of the order page.
const OrderPage = lazy(async () => ({ default: (await import('./order-page.tsx')).OrderPage }));
const MyTickets = lazy(async () => ({ default: (await import('./my-tickets.tsx')).MyTickets }));

export function BookingRoutes() {
  const arrived = useFreshScreen();
  return (
    <>
      <output className="visually-hidden">{arrived}</output>
      <Suspense fallback={<Spinner fullScreen />}>
        <Routes>
          <Route path="/" element={<Home />} />
          <Route path="/event/:eventId" element={<EventPage />} />
          <Route path="/orders/:orderId" element={<OrderPage />} />
          <Route path="/orders/:orderId/from_stripe_cs/:stripeCsStatus" element={<OrderPage />} />
          <Route path="/i-miei-biglietti" element={<MyTickets />} />
          {legalNames.map((name) => <Route key={name} path={legalPaths[name]} element={<LegalPage key={name} name={name} />} />)}
          <Route path="*" element={<UnknownAddress />} />
        </Routes>
      </Suspense>
    </>
  );
}

function UnknownAddress() {
  usePageTitle('Pagina non trovata');
  return <NotFound text="La pagina che cerchi non esiste o ha cambiato indirizzo." />;
}

/** Screens set their title when they know what they show. */
const titleSettlesMs = 600;

/** A new screen begins at its top, and its title is told to screen readers; the first one is the browser's affair. */
function useFreshScreen(): string {
  const { pathname } = useLocation();
  const seen = useRef(pathname);
  const [arrived, setArrived] = useState('');
  useEffect(trackPageview, [pathname]);
  useEffect(() => {
    if (seen.current === pathname) return undefined;
    seen.current = pathname;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    const timer = setTimeout(() => setArrived(document.title), titleSettlesMs);
    return () => clearTimeout(timer);
  }, [pathname]);
  return arrived;
}
