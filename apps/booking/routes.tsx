/** The public addresses (RULES W3) and their screens. */
import { lazy, Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { legalNames, legalPaths, type LegalName } from '#server/domain/site/legal-names.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { EarlyClicks } from './shell/early-clicks.ts';
import { useOpenOrder } from './order/open/open-order.ts';
import { dateStrip, EventPage } from './event/page.tsx';
import type { PageData } from '#apps/booking/shell/page/page-data.ts';
import { trackPageview } from './consent/watch.ts';

interface LateScreens {
  Home: ComponentType;
  LegalPage: ComponentType<{ name: LegalName }>;
  OrderPage: ComponentType;
  PreviewPage: ComponentType;
  MyTickets: ComponentType;
  ReminderPage: ComponentType;
  UnknownPage: ComponentType;
}

const loads = {
  home: async () => ({ default: (await import('./home/home.tsx')).Home }),
  legal: async () => ({ default: (await import('./legal/page.tsx')).LegalPage }),
  // A script of its own, so that the event page does not load the order page's QR code.
  order: async () => ({ default: (await import('./order/page.tsx')).OrderPage }),
  preview: async () => ({ default: (await import('./event/preview.tsx')).PreviewPage }),
  tickets: async () => ({ default: (await import('./home/my-tickets.tsx')).MyTickets }),
  reminder: async () => ({ default: (await import('./reminder/page.tsx')).ReminderPage }),
  unknown: async () => ({
    default: (await import('#apps/booking/shell/page/unknown-page.tsx')).UnknownPage,
  }),
};
const late: LateScreens = {
  Home: lazy(loads.home),
  LegalPage: lazy(loads.legal),
  OrderPage: lazy(loads.order),
  PreviewPage: lazy(loads.preview),
  MyTickets: lazy(loads.tickets),
  ReminderPage: lazy(loads.reminder),
  UnknownPage: lazy(loads.unknown),
};

// Fetched late, because few visitors have an unfinished order.
const OpenOrderNotice = latePart(() =>
  import('./order/open/open-order-notice.tsx').then((part) => part.OpenOrderNotice),
);

/** Loads the script of the drawn screen; a failure is ignored, because the screen reports it. */
export async function loadDrawn(data: PageData): Promise<void> {
  const load =
    (data.events && loads.home) ?? (data.legal && loads.legal) ?? (data.order && loads.order);
  await load?.().catch(() => {});
  if (data.event?.other_dates.length) await dateStrip.load().catch(() => {});
}

/** The server passes `screens`, because it cannot wait for late ones. */
export function BookingRoutes({
  screens: { Home, LegalPage, OrderPage, PreviewPage, MyTickets, ReminderPage, UnknownPage } = late,
}: {
  screens?: LateScreens;
}) {
  const arrived = useFreshScreen();
  const openOrder = useOpenOrder();
  return (
    <>
      <output className="visually-hidden">{arrived}</output>
      {openOrder !== null && (
        <Suspense>
          <OpenOrderNotice key={openOrder} orderId={openOrder} />
        </Suspense>
      )}
      <Suspense fallback={<Spinner fullScreen />}>
        <Routes>
          <Route path="/" element={<Home />} />
          <Route path="/event/:eventId" element={<EventPage />} />
          <Route path="/anteprima/:eventId" element={<PreviewPage />} />
          <Route path="/anteprima/ordini/:orderId" element={<PreviewPage />} />
          <Route path="/orders/:orderId" element={<OrderPage />} />
          <Route path="/orders/:orderId/from_stripe_cs/:stripeCsStatus" element={<OrderPage />} />
          <Route path="/i-miei-biglietti" element={<MyTickets />} />
          <Route path="/avviso" element={<ReminderPage />} />
          {legalNames.map((name) => (
            <Route
              key={name}
              path={legalPaths[name]}
              element={<LegalPage key={name} name={name} />}
            />
          ))}
          <Route path="*" element={<UnknownPage />} />
        </Routes>
        <EarlyClicks />
      </Suspense>
    </>
  );
}

/** By this time a screen has set its title. */
const titleSettlesMs = 600;

/**
 * Scrolls a new screen to its top and announces its title; the browser does both for the first
 * screen.
 */
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
