/** Which address shows which screen, and who may see it; the server refuses by itself, this only spares a dead end. */
import { Navigate, Outlet, Route, Routes } from 'react-router-dom';
import { createEvent } from '#server/contract/event-desk.ts';
import { hasRole, type Role } from '#server/domain/user.ts';
import { AdmissionsScreen } from './admissions.tsx';
import { AttentionScreen } from './attention.tsx';
import { CancelEventScreen } from './cancel-event.tsx';
import { ChartsScreen } from './charts.tsx';
import { ConflictsScreen } from './conflicts.tsx';
import { EditEventScreen, NewEventScreen } from './event-form.tsx';
import { newEventPath } from './event-links.tsx';
import { EventScreen } from './event.tsx';
import { EventsScreen } from './events.tsx';
import { HealthScreen } from './health.tsx';
import { InviteScreen } from './invite.tsx';
import { Layout, Lost } from './layout.tsx';
import { NotAllowed } from './loaded.tsx';
import { LoginScreen } from './login.tsx';
import { MailScreen } from './mailbox-mail.tsx';
import { MailboxScreen } from './mailbox.tsx';
import { OrderScreen } from './order.tsx';
import { OrdersScreen } from './orders.tsx';
import { PhonesScreen } from './phones.tsx';
import { PresenceScreen } from './presence.tsx';
import { PricesScreen } from './prices.tsx';
import { RehearsalScreen } from './rehearsal.tsx';
import { RehearsalsScreen } from './rehearsals.tsx';
import { SeatMapScreen } from './seat-map.tsx';
import { useUser } from './session.ts';
import { SiteSettingsScreen } from './site-settings.tsx';

export function AdminRoutes() {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route path="/invito" element={<InviteScreen />} />
      <Route element={<Layout />}>
        <Route index element={<Start />} />
        <Route path="/admissions" element={<AdmissionsScreen />} />
        <Route path="/presence" element={<PresenceScreen />} />
        <Route path="/conflicts" element={<ConflictsScreen />} />
        <Route element={<Only needed="office" />}>
          <Route path="/events/:eventId" element={<EventScreen />} />
          <Route path="/events/:eventId/seats" element={<SeatMapScreen />} />
          <Route path="/events/:eventId/cancel" element={<CancelEventScreen />} />
          <Route path="/attention" element={<AttentionScreen />} />
          <Route path="/prices" element={<PricesScreen />} />
          <Route path="/orders" element={<OrdersScreen />} />
          <Route path="/orders/:orderId" element={<OrderScreen />} />
          <Route path="/mailbox" element={<MailboxScreen />} />
          <Route path="/mailbox/:mailId" element={<MailScreen />} />
          <Route path="/health" element={<HealthScreen />} />
          <Route path="/phones" element={<PhonesScreen />} />
          <Route path="/rehearsals" element={<RehearsalsScreen />} />
          <Route path="/rehearsals/:eventId" element={<RehearsalScreen />} />
        </Route>
        <Route element={<Only needed={createEvent.who} />}>
          <Route path={newEventPath} element={<NewEventScreen />} />
          <Route path="/events/:eventId/edit" element={<EditEventScreen />} />
        </Route>
        <Route element={<Only needed="admin" />}>
          <Route path="/charts" element={<ChartsScreen />} />
          <Route path="/site" element={<SiteSettingsScreen />} />
        </Route>
        <Route path="*" element={<Lost />} />
      </Route>
    </Routes>
  );
}

/** People of the door begin at their scans. */
function Start() {
  return hasRole(useUser().role, 'office') ? <EventsScreen /> : <Navigate to="/admissions" replace />;
}

function Only({ needed }: { needed: Role }) {
  return hasRole(useUser().role, needed) ? <Outlet /> : <NotAllowed />;
}
