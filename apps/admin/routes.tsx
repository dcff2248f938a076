/** The routes of the office and the right for each; the server checks the right again. */
import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router-dom';
import type { Right } from '#server/domain/user/rights.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { ForgotScreen } from '#apps/admin/shell/login/forgot.tsx';
import { Layout, PageNotFound } from './shell/layout.tsx';
import { NotAllowed } from '#apps/admin/kit/page/loaded.tsx';
import { ScreenNotLoaded } from './shell/line.tsx';
import { LoginScreen } from '#apps/admin/shell/login/login.tsx';
import { useMay } from './kit/session/session.ts';
import { FirstTab, Tabbed } from './shell/tabs.tsx';
import { doorTabs, newEventPath, reportTabs, settingsTabs } from './shell/navigation.ts';

const loads: (() => Promise<unknown>)[] = [];

/** A screen whose script is fetched when needed, or `ahead`; an error screen if that fails. */
function late<Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
  { ahead = true } = {},
): ComponentType {
  if (ahead) loads.push(load);
  return lazy<ComponentType>(() =>
    load().then(
      (room) => ({ default: room[name] }),
      () => ({ default: ScreenNotLoaded }),
    ),
  );
}

const AccountScreen = late('AccountScreen', () => import('./people/account.tsx'));
const AddDatesScreen = late('AddDatesScreen', () => import('./show/add-dates.tsx'));
const AdmissionsScreen = late('AdmissionsScreen', () => import('./door/admissions.tsx'));
const AnswersScreen = late('AnswersScreen', () => import('./event/answers/answers.tsx'));
const AttentionScreen = late('AttentionScreen', () => import('./today/attention.tsx'));
const BooksScreen = late('BooksScreen', () => import('./book/books.tsx'));
const CancelEventScreen = late('CancelEventScreen', () => import('./event/cancel-event.tsx'));
const ChartScreen = late('ChartScreen', () => import('./charts/chart.tsx'));
const ChartsScreen = late('ChartsScreen', () => import('./charts/charts.tsx'));
const ConflictsScreen = late('ConflictsScreen', () => import('./door/conflicts.tsx'));
const DayScreen = late('DayScreen', () => import('./sell/day/day.tsx'));
const DaysScreen = late('DaysScreen', () => import('./sell/day/days.tsx'));
const DeliveriesScreen = late('DeliveriesScreen', () => import('./programs/deliveries.tsx'));
const DrawScreen = late('DrawScreen', () => import('./charts/draw.tsx'), { ahead: false });
const EditEventScreen = late('EditEventScreen', () => import('./event/form/form.tsx'));
const EditShowScreen = late('EditShowScreen', () => import('./show/edit-show.tsx'));
const EventScreen = late('EventScreen', () => import('./event/event.tsx'));
const EventDoorScreen = late('EventDoorScreen', () => import('./event/event-door.tsx'));
const EventFrame = late('EventFrame', () => import('./event/frame.tsx'));
const EventOrdersScreen = late('EventOrdersScreen', () => import('./order/orders.tsx'));
const EventPricesScreen = late('EventPricesScreen', () => import('./event/event-prices.tsx'));
const EventRulesScreen = late('EventRulesScreen', () => import('./rules/rules.tsx'));
const EventsScreen = late('EventsScreen', () => import('./event/events.tsx'));
const GuestsScreen = late('GuestsScreen', () => import('./event/guests.tsx'));
const GuideScreen = late('GuideScreen', () => import('./health/guide.tsx'), { ahead: false });
const HouseRulesScreen = late('HouseRulesScreen', () => import('./rules/rules.tsx'));
const HealthScreen = late('HealthScreen', () => import('./health/health.tsx'));
const RestoredScreen = late('RestoredScreen', () => import('./health/restored.tsx'));
const MailScreen = late('MailScreen', () => import('./mail/mail.tsx'));
const MailboxScreen = late('MailboxScreen', () => import('./mail/mailbox.tsx'));
const MoveScreen = late('MoveScreen', () => import('./move/move.tsx'));
const MessageScreen = late('MessageScreen', () => import('./mail/message.tsx'));
const MessagesScreen = late('MessagesScreen', () => import('./mail/messages.tsx'));
const NewEventScreen = late('NewEventScreen', () => import('./event/form/form.tsx'));
const OrderScreen = late('OrderScreen', () => import('./order/order.tsx'));
const OrdersScreen = late('OrdersScreen', () => import('./order/orders.tsx'));
const PayoutScreen = late('PayoutScreen', () => import('./payouts/payout.tsx'));
const PayoutsScreen = late('PayoutsScreen', () => import('./payouts/payouts.tsx'));
const PeopleScreen = late('PeopleScreen', () => import('./people/people.tsx'));
const PersonScreen = late('PersonScreen', () => import('./personal/person.tsx'));
const ProcessingScreen = late('ProcessingScreen', () => import('./personal/register.tsx'));
const RetentionScreen = late('RetentionScreen', () => import('./personal/retention.tsx'));
const PhonesScreen = late('PhonesScreen', () => import('./phone/phones.tsx'));
const PostponeScreen = late('PostponeScreen', () => import('./event/postpone.tsx'));
const PresenceScreen = late('PresenceScreen', () => import('./door/presence.tsx'));
const PricesScreen = late('PricesScreen', () => import('./event/prices.tsx'));
const ProgramsScreen = late('ProgramsScreen', () => import('./programs/programs.tsx'));
const OldShiftScreen = late('OldShiftScreen', () => import('#apps/admin/sell/shift/shift.tsx'));
const RegistryScreen = late('RegistryScreen', () => import('./registry/registry.tsx'));
const QueueScreen = late('QueueScreen', () => import('./event/queue/queue.tsx'));
const RehearsalScreen = late('RehearsalScreen', () => import('./door/rehearsal.tsx'));
const RehearsalsScreen = late('RehearsalsScreen', () => import('./door/rehearsals.tsx'));
const RehousingScreen = late('RehousingScreen', () => import('./rehousing/rehousing.tsx'));
const FilesScreen = late('FilesScreen', () => import('./reports/files.tsx'));
const ReportScreen = late('ReportScreen', () => import('./reports/report.tsx'));
const InvoicesScreen = late('InvoicesScreen', () => import('./papers/invoices.tsx'));
const SealsScreen = late('SealsScreen', () => import('./papers/seals.tsx'));
const StripeChangeScreen = late('StripeChangeScreen', () => import('./event/stripe-change.tsx'));
const SummariesScreen = late('SummariesScreen', () => import('./papers/summaries.tsx'));
const SeatMapScreen = late('SeatMapScreen', () => import('./seats/seat-map.tsx'));
const PrintAllScreen = late('PrintAllScreen', () => import('./print/print-all.tsx'));
const RebuildScreen = late('RebuildScreen', () => import('./sell/lost/rebuild.tsx'));
const ExchangeScreen = late('ExchangeScreen', () => import('./sell/exchange/choose.tsx'));
const ReservationsScreen = late('ReservationsScreen', () => import('./sell/reservations.tsx'));
const SalesScreen = late('SalesScreen', () => import('./sell/sales.tsx'));
const SellScreen = late('SellScreen', () => import('./sell/sell.tsx'));
const ShiftScreen = late('ShiftScreen', () => import('#apps/admin/sell/shift/shift.tsx'));
const ShiftsScreen = late('ShiftsScreen', () => import('#apps/admin/sell/shift/shifts.tsx'));
const TillScreen = late('TillScreen', () => import('./sell/till.tsx'));
const TillsScreen = late('TillsScreen', () => import('#apps/admin/sell/shift/tills.tsx'));
const ShowScreen = late('ShowScreen', () => import('./show/show.tsx'));
const ShowPricesScreen = late('ShowPricesScreen', () => import('./show/show-prices.tsx'));
const ShowRulesScreen = late('ShowRulesScreen', () => import('./rules/rules.tsx'));
const ShowsScreen = late('ShowsScreen', () => import('./show/shows.tsx'));
const StartedScreen = late('StartedScreen', () => import('./started/started.tsx'));
const TodayScreen = late('TodayScreen', () => import('./today/today.tsx'));
/** These are used once in a user's life, so they are not fetched ahead. */
const InviteScreen = late('InviteScreen', () => import('./shell/login/invite.tsx'), {
  ahead: false,
});
const ResetScreen = late('ResetScreen', () => import('./shell/login/reset.tsx'), { ahead: false });
const LookScreen = late('LookScreen', () => import('./site/look.tsx'));
const WriteScreen = late('WriteScreen', () => import('./mail/write.tsx'));
const SiteSettingsScreen = late('SiteSettingsScreen', () => import('./site/settings.tsx'));

export function AdminRoutes() {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route path="/invito" element={<Alone of={<InviteScreen />} />} />
      <Route path="/password" element={<ForgotScreen />} />
      <Route path="/nuova-password" element={<Alone of={<ResetScreen />} />} />
      {drawing}
      <Route element={<Layout />}>
        <Route element={<Inside />}>
          <Route index element={<Start />} />
          {door}
          {event}
          {settings}
          {reports}
          {counter}
          <Route element={<Only right="see_events" />}>
            <Route path="/events" element={<EventsScreen />} />
            <Route path="/shows" element={<ShowsScreen />} />
            <Route path="/shows/:showId" element={<ShowScreen />} />
          </Route>
          <Route element={<Only right="see_attention" />}>
            <Route path="/attention" element={<AttentionScreen />} />
          </Route>
          <Route element={<Only right="see_started" />}>
            <Route path="/started" element={<StartedScreen />} />
          </Route>
          <Route element={<Only right="see_prices" />}>
            <Route path="/shows/:showId/prices" element={<ShowPricesScreen />} />
            <Route path="/shows/:showId/rules" element={<ShowRulesScreen />} />
            <Route path="/prices" element={<PricesScreen />} />
          </Route>
          <Route element={<Only right="refund" />}>
            <Route path="/events/:eventId/cancel" element={<CancelEventScreen />} />
          </Route>
          <Route element={<Only right="see_orders" />}>
            <Route path="/orders" element={<OrdersScreen />} />
            <Route path="/orders/:orderId" element={<OrderScreen />} />
          </Route>
          <Route element={<Only right="move_tickets" />}>
            <Route path="/orders/:orderId/move" element={<MoveScreen />} />
          </Route>
          {messages}
          <Route element={<Only right="edit_events" />}>
            <Route path={newEventPath} element={<NewEventScreen />} />
            <Route path="/events/:eventId/postpone" element={<PostponeScreen />} />
            <Route path="/events/:eventId/queue" element={<QueueScreen />} />
            <Route path="/shows/:showId/edit" element={<EditShowScreen />} />
            <Route path="/shows/:showId/dates" element={<AddDatesScreen />} />
          </Route>
          <Route path="/account" element={<AccountScreen />} />
          <Route path="*" element={<PageNotFound />} />
        </Route>
      </Route>
    </Routes>
  );
}

const drawing = (
  <Route element={<Layout bare />}>
    <Route element={<Only right="import_charts" />}>
      <Route path="/settings/charts/:chartKey/draw" element={<Alone of={<DrawScreen />} />} />
    </Route>
  </Route>
);

const messages = (
  <Route element={<Only right="send_messages" />}>
    <Route path="/messages" element={<MessagesScreen />} />
    <Route path="/messages/new" element={<WriteScreen />} />
    <Route path="/messages/:messageId" element={<MessageScreen />} />
  </Route>
);

const door = (
  <Route path="/door" element={<Tabbed label="Porta" tabs={doorTabs} />}>
    <Route index element={<FirstTab tabs={doorTabs} />} />
    <Route element={<Only right="see_presence" />}>
      <Route path="presence" element={<PresenceScreen />} />
    </Route>
    <Route element={<Only right="admit" />}>
      <Route path="scans" element={<AdmissionsScreen />} />
      <Route path="conflicts" element={<ConflictsScreen />} />
    </Route>
    <Route element={<Only right="see_devices" />}>
      <Route path="phones" element={<PhonesScreen />} />
      <Route path="rehearsals" element={<RehearsalsScreen />} />
      <Route path="rehearsals/:eventId" element={<RehearsalScreen />} />
    </Route>
  </Route>
);

const event = (
  <Route element={<Only right="see_events" />}>
    <Route path="/events/:eventId" element={<EventFrame />}>
      <Route index element={<EventScreen />} />
      <Route element={<Only right="see_seats" />}>
        <Route path="seats" element={<SeatMapScreen />} />
      </Route>
      <Route element={<Only right="see_orders" />}>
        <Route path="orders" element={<EventOrdersScreen />} />
      </Route>
      <Route element={<Only right="see_guests" />}>
        <Route path="guests" element={<GuestsScreen />} />
      </Route>
      <Route element={<Only right="refund" />}>
        <Route path="answers" element={<AnswersScreen />} />
      </Route>
      <Route element={<Only right="see_prices" />}>
        <Route path="prices" element={<EventPricesScreen />} />
        <Route path="rules" element={<EventRulesScreen />} />
      </Route>
      <Route element={<Only right="see_presence" />}>
        <Route path="door" element={<EventDoorScreen />} />
      </Route>
      <Route element={<Only right="change_papers" />}>
        <Route path="seals" element={<SealsScreen />} />
      </Route>
      <Route element={<Only right="edit_events" />}>
        <Route path="edit" element={<EditEventScreen />} />
        <Route path="seats/rehousing" element={<RehousingScreen />} />
      </Route>
    </Route>
  </Route>
);

const counter = (
  <Route path="/sell" element={<Only right="sell" />}>
    <Route index element={<SellScreen />} />
    <Route path="exchange/:orderId" element={<ExchangeScreen />} />
    <Route path="reservations" element={<ReservationsScreen />} />
    <Route element={<Only right="change_orders" />}>
      <Route path="rebuild" element={<RebuildScreen />} />
    </Route>
    <Route path="shift" element={<ShiftScreen />} />
    <Route path="shifts" element={<ShiftsScreen />} />
    <Route path="shifts/:shiftId" element={<OldShiftScreen />} />
    <Route path="sales" element={<SalesScreen />} />
    <Route path="event/:eventId" element={<TillScreen />} />
    <Route path="event/:eventId/print" element={<PrintAllScreen />} />
  </Route>
);

const reports = (
  <Route path="/reports" element={<Tabbed label="Rapporti" tabs={reportTabs} />}>
    <Route index element={<FirstTab tabs={reportTabs} />} />
    <Route element={<Only right="see_money" />}>
      <Route path="summaries" element={<SummariesScreen />} />
      <Route path="book" element={<BooksScreen />} />
      <Route path="payouts" element={<PayoutsScreen />} />
      <Route path="payouts/:payoutId" element={<PayoutScreen />} />
    </Route>
    <Route element={<Only right="close_days" />}>
      <Route path="days" element={<DaysScreen />} />
      <Route path="days/:day" element={<DayScreen />} />
    </Route>
    <Route element={<Only right="see_invoices" />}>
      <Route path="invoices" element={<InvoicesScreen />} />
    </Route>
    <Route element={<Only right="see_reports" />}>
      <Route path="files" element={<FilesScreen />} />
      <Route path=":report" element={<ReportScreen />} />
    </Route>
  </Route>
);

const settings = (
  <Route path="/settings" element={<Tabbed label="Impostazioni" tabs={settingsTabs} />}>
    <Route index element={<FirstTab tabs={settingsTabs} />} />
    <Route element={<Only right="see_mail" />}>
      <Route path="mail" element={<MailboxScreen />} />
      <Route path="mail/:mailId" element={<MailScreen />} />
    </Route>
    <Route element={<Only right="see_health" />}>
      <Route path="health" element={<HealthScreen />} />
      <Route path="restored" element={<RestoredScreen />} />
    </Route>
    <Route element={<Only right="see_audit" />}>
      <Route path="registry" element={<RegistryScreen />} />
    </Route>
    <Route element={<Only right="change_site" />}>
      <Route path="site" element={<SiteSettingsScreen />} />
      <Route path="site/look" element={<LookScreen />} />
      <Route path="stripe" element={<StripeChangeScreen />} />
      <Route path="guide" element={<GuideScreen />} />
      <Route path="tills" element={<TillsScreen />} />
    </Route>
    <Route element={<Only right="see_prices" />}>
      <Route path="prices" element={<HouseRulesScreen />} />
    </Route>
    <Route element={<Only right="change_programs" />}>
      <Route path="programs" element={<ProgramsScreen />} />
      <Route path="programs/deliveries" element={<DeliveriesScreen />} />
    </Route>
    <Route element={<Only right="manage_people" />}>
      <Route path="people" element={<PeopleScreen />} />
    </Route>
    <Route element={<Only right="see_personal_data" />}>
      <Route path="personal" element={<PersonScreen />} />
      <Route path="personal/retention" element={<RetentionScreen />} />
      <Route path="personal/register" element={<ProcessingScreen />} />
    </Route>
    <Route element={<Only right="import_charts" />}>
      <Route path="charts" element={<ChartsScreen />} />
      <Route path="charts/:chartKey" element={<ChartScreen />} />
    </Route>
  </Route>
);

/** The other screens are fetched this long after the first one, whose requests come first. */
const restMs = 2_000;

/** Not every browser has it. */
const { connection } = navigator as { connection?: { saveData: boolean } };

/**
 * The connection may be bad on the evening, so the other screens are fetched early, unless the
 * browser saves data.
 */
function Inside() {
  useEffect(() => {
    if (connection?.saveData) return undefined;
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

/** A screen that fills the window and is not fetched ahead. */
function Alone({ of }: { of: ReactNode }) {
  return <Suspense fallback={<Spinner />}>{of}</Suspense>;
}

/** The first screen: Oggi, or what the user may see instead; a cashier sells. */
function Start() {
  const maySell = useMay('sell');
  const otherwise = useMay('see_events') ? '/events' : '/door/scans';
  const first = maySell ? '/sell' : otherwise;
  return useMay('see_attention') ? <TodayScreen /> : <Navigate to={first} replace />;
}

function Only({ right }: { right: Right }) {
  return useMay(right) ? <Outlet /> : <NotAllowed right={right} />;
}
