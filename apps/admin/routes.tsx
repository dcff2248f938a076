/** The routes of the office and the role that each needs; the server checks roles by itself, this only avoids dead ends. */
import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { createEvent } from '#server/contract/event-desk.ts';
import { hasRole, type Role } from '#server/domain/user.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { newEventPath } from './event/links.tsx';
import { InviteScreen } from './shell/invite.tsx';
import { Layout, Lost } from './shell/layout.tsx';
import { NotAllowed } from './kit/loaded.tsx';
import { LoginScreen } from './shell/login.tsx';
import { useUser } from './shell/session.ts';
import { FirstTab, Tabbed } from './shell/tabs.tsx';
import { doorTabs, oldWays, settingsTabs } from './shell/ways.ts';

const loads: (() => Promise<unknown>)[] = [];

/** The login is no reason to fetch the whole office. A script that does not come is said in the place of its screen. */
function late<Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
): ComponentType {
  loads.push(load);
  return lazy<ComponentType>(() =>
    load().then(
      (room) => ({ default: room[name] }),
      () => ({ default: NotFetched }),
    ),
  );
}

function NotFetched() {
  return (
    <ErrorView detail="Questa pagina non si è potuta caricare: controlla la connessione e riprova." />
  );
}

const AdmissionsScreen = late('AdmissionsScreen', () => import('./door/admissions.tsx'));
const AttentionScreen = late('AttentionScreen', () => import('./today/attention.tsx'));
const CancelEventScreen = late('CancelEventScreen', () => import('./event/cancel-event.tsx'));
const ChartsScreen = late('ChartsScreen', () => import('./charts/charts.tsx'));
const ConflictsScreen = late('ConflictsScreen', () => import('./door/conflicts.tsx'));
const EditEventScreen = late('EditEventScreen', () => import('./event/form/form.tsx'));
const EventScreen = late('EventScreen', () => import('./event/event.tsx'));
const EventDoorScreen = late('EventDoorScreen', () => import('./event/event-door.tsx'));
const EventFrame = late('EventFrame', () => import('./event/frame.tsx'));
const EventOrdersScreen = late('EventOrdersScreen', () => import('./order/orders.tsx'));
const EventPricesScreen = late('EventPricesScreen', () => import('./event/event-prices.tsx'));
const EventsScreen = late('EventsScreen', () => import('./event/events.tsx'));
const HealthScreen = late('HealthScreen', () => import('./health/health.tsx'));
const MailScreen = late('MailScreen', () => import('./mail/mail.tsx'));
const MailboxScreen = late('MailboxScreen', () => import('./mail/mailbox.tsx'));
const NewEventScreen = late('NewEventScreen', () => import('./event/form/form.tsx'));
const OrderScreen = late('OrderScreen', () => import('./order/order.tsx'));
const OrdersScreen = late('OrdersScreen', () => import('./order/orders.tsx'));
const PhonesScreen = late('PhonesScreen', () => import('./phone/phones.tsx'));
const PresenceScreen = late('PresenceScreen', () => import('./door/presence.tsx'));
const PricesScreen = late('PricesScreen', () => import('./event/prices.tsx'));
const RehearsalScreen = late('RehearsalScreen', () => import('./door/rehearsal.tsx'));
const RehearsalsScreen = late('RehearsalsScreen', () => import('./door/rehearsals.tsx'));
const ReportsScreen = late('ReportsScreen', () => import('./reports/reports.tsx'));
const SeatMapScreen = late('SeatMapScreen', () => import('./seats/seat-map.tsx'));
const SiteSettingsScreen = late('SiteSettingsScreen', () => import('./site/settings.tsx'));

export function AdminRoutes() {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route path="/invito" element={<InviteScreen />} />
      <Route element={<Layout />}>
        <Route element={<Inside />}>
          <Route index element={<Start />} />
          {door}
          <Route element={<Only needed="office" />}>
            <Route path="/events" element={<EventsScreen />} />
            {event}
            <Route path="/events/:eventId/cancel" element={<CancelEventScreen />} />
            <Route path="/attention" element={<AttentionScreen />} />
            <Route path="/prices" element={<PricesScreen />} />
            <Route path="/orders" element={<OrdersScreen />} />
            <Route path="/orders/:orderId" element={<OrderScreen />} />
            <Route path="/reports" element={<ReportsScreen />} />
            {settings}
          </Route>
          <Route element={<Only needed={createEvent.who} />}>
            <Route path={newEventPath} element={<NewEventScreen />} />
          </Route>
          {oldWays.map(([from, to]) => (
            <Route key={from} path={`${from}/*`} element={<OldWay from={from} to={to} />} />
          ))}
          <Route path="*" element={<Lost />} />
        </Route>
      </Route>
    </Routes>
  );
}

const door = (
  <Route path="/door" element={<Tabbed label="Porta" tabs={doorTabs} />}>
    <Route index element={<FirstTab tabs={doorTabs} />} />
    <Route path="presence" element={<PresenceScreen />} />
    <Route path="scans" element={<AdmissionsScreen />} />
    <Route path="conflicts" element={<ConflictsScreen />} />
    <Route element={<Only needed="office" />}>
      <Route path="phones" element={<PhonesScreen />} />
      <Route path="rehearsals" element={<RehearsalsScreen />} />
      <Route path="rehearsals/:eventId" element={<RehearsalScreen />} />
    </Route>
  </Route>
);

const event = (
  <Route path="/events/:eventId" element={<EventFrame />}>
    <Route index element={<EventScreen />} />
    <Route path="seats" element={<SeatMapScreen />} />
    <Route path="orders" element={<EventOrdersScreen />} />
    <Route path="prices" element={<EventPricesScreen />} />
    <Route path="door" element={<EventDoorScreen />} />
    <Route element={<Only needed={createEvent.who} />}>
      <Route path="edit" element={<EditEventScreen />} />
    </Route>
  </Route>
);

const settings = (
  <Route path="/settings" element={<Tabbed label="Impostazioni" tabs={settingsTabs} />}>
    <Route index element={<FirstTab tabs={settingsTabs} />} />
    <Route path="mail" element={<MailboxScreen />} />
    <Route path="mail/:mailId" element={<MailScreen />} />
    <Route path="health" element={<HealthScreen />} />
    <Route element={<Only needed="admin" />}>
      <Route path="site" element={<SiteSettingsScreen />} />
      <Route path="charts" element={<ChartsScreen />} />
    </Route>
  </Route>
);

/** What the first screen has to fetch and ask goes before the other screens. */
const restMs = 2_000;

/** Once the first screen stands, the others are fetched too: on the evening the line may be bad. */
function Inside() {
  useEffect(() => {
    const timer = setTimeout(async () => {
      for (const load of loads) await load().catch(() => {});
    }, restMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense fallback={<Spinner />}>
      <Outlet />
    </Suspense>
  );
}

/** People of the door begin at their scans. */
function Start() {
  return <Navigate to={hasRole(useUser().role, 'office') ? '/events' : '/door/scans'} replace />;
}

/** What followed the old address follows the new one. */
function OldWay({ from, to }: { from: string; to: string }) {
  const { pathname, search, hash } = useLocation();
  return <Navigate to={to + pathname.slice(from.length) + search + hash} replace />;
}

function Only({ needed }: { needed: Role }) {
  return hasRole(useUser().role, needed) ? <Outlet /> : <NotAllowed />;
}
