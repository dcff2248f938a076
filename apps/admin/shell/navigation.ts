/** The navigation of the office: the bar's entries, and the tabs of an entry or an event. */
import type { Right } from '#server/domain/user/rights.ts';
import type { IconName } from '#apps/shared/ui/icon.tsx';

/** What the number beside an entry counts. */
export type WaitingKind = 'attention' | 'conflicts';

export interface NavItem {
  to: string;
  label: string;
  right: Right;
  waits?: WaitingKind;
  /** Keeps the query of the previous tab's address. */
  keepsAddress?: boolean;
  /** Tabs of one group stand together under its name. */
  group?: string;
}

interface Entry extends NavItem {
  icon: IconName;
  /** Other addresses that belong to the entry. */
  also?: readonly string[];
}

/** The entries of the bar. */
export const entries: readonly Entry[] = [
  { to: '/', label: 'Oggi', icon: 'clock', right: 'see_attention' },
  { to: '/sell', label: 'Vendi', icon: 'ticket', right: 'sell' },
  {
    to: '/events',
    label: 'Spettacoli',
    icon: 'calendar',
    right: 'see_events',
    also: ['/shows', '/prices'],
  },
  {
    to: '/orders',
    label: 'Ordini',
    icon: 'cart',
    right: 'see_orders',
    also: ['/messages'],
  },
  {
    to: '/attention',
    label: 'Da sistemare',
    icon: 'warning',
    right: 'see_attention',
    waits: 'attention',
  },
  { to: '/door', label: 'Porta', icon: 'door', right: 'see_presence', waits: 'conflicts' },
  { to: '/reports', label: 'Rapporti', icon: 'bars', right: 'see_reports' },
  { to: '/settings', label: 'Impostazioni', icon: 'sliders', right: 'change_site' },
];

export const doorTabs: readonly NavItem[] = [
  { to: '/door/presence', label: 'Presenze', right: 'see_presence' },
  { to: '/door/scans', label: 'Letture', right: 'admit' },
  { to: '/door/conflicts', label: 'Conflitti', right: 'admit', waits: 'conflicts' },
  { to: '/door/phones', label: 'Telefoni', right: 'see_devices' },
  { to: '/door/rehearsals', label: 'Prova generale', right: 'see_devices' },
];

const house = 'La casa';
const machine = 'La macchina';

/** Roles without the entry «Impostazioni» may open mail and health: «Oggi» links there. */
export const settingsTabs: readonly NavItem[] = [
  { to: '/settings/site', label: 'Sito e aspetto', right: 'change_site', group: house },
  { to: '/settings/prices', label: 'Prezzi', right: 'see_prices', group: house },
  { to: '/settings/people', label: 'Persone e ruoli', right: 'manage_people', group: house },
  { to: '/settings/charts', label: 'Piante', right: 'import_charts', group: house },
  { to: '/settings/tills', label: 'Stampanti e casse', right: 'change_site', group: house },
  { to: '/settings/personal', label: 'Dati personali', right: 'see_personal_data', group: house },
  { to: '/settings/mail', label: 'Posta', right: 'see_mail', group: machine },
  { to: '/settings/health', label: 'Salute', right: 'see_health', group: machine },
  { to: '/settings/registry', label: 'Registro', right: 'see_audit', group: machine },
  { to: '/settings/programs', label: 'Programmi', right: 'change_programs', group: machine },
  { to: '/settings/guide', label: 'Mettere in scena', right: 'change_site', group: machine },
];

/** The first four share the scope in the address. */
export const reportTabs: readonly NavItem[] = [
  { to: '/reports/sales', label: 'Vendite', right: 'see_reports', keepsAddress: true },
  { to: '/reports/hall', label: 'Sala', right: 'see_reports', keepsAddress: true },
  { to: '/reports/door', label: 'Porta', right: 'see_reports', keepsAddress: true },
  { to: '/reports/money', label: 'Soldi', right: 'see_reports', keepsAddress: true },
  { to: '/reports/days', label: 'Chiusure', right: 'close_days' },
  { to: '/reports/summaries', label: 'Riepiloghi', right: 'see_money' },
  { to: '/reports/invoices', label: 'Fatture', right: 'see_invoices' },
  { to: '/reports/book', label: 'Libro', right: 'see_money' },
  { to: '/reports/payouts', label: 'Accrediti', right: 'see_money' },
  { to: '/reports/files', label: 'File e visite', right: 'see_reports' },
];

export function eventTabs(eventId: string): readonly NavItem[] {
  const event = `/events/${encodeURIComponent(eventId)}`;
  return [
    { to: event, label: 'Panoramica', right: 'see_events' },
    { to: `${event}/seats`, label: 'Pianta e blocchi', right: 'see_seats' },
    { to: `${event}/orders`, label: 'Ordini', right: 'see_orders' },
    { to: `${event}/guests`, label: 'Ospiti', right: 'see_guests' },
    { to: `${event}/prices`, label: 'Prezzi', right: 'see_prices' },
    { to: `${event}/rules`, label: 'Regole', right: 'see_prices' },
    { to: `${event}/door`, label: 'Porta', right: 'see_presence' },
    { to: `${event}/edit`, label: 'Impostazioni', right: 'edit_events' },
  ];
}

/** An event's id has no underscore, so none is called `_new`. */
export const newEventPath = '/events/_new';

/** "/orders" includes "/orders/7", but not "/orders-of-old". */
export function isUnder(path: string, way: string): boolean {
  return path === way || path.startsWith(`${way}/`);
}

export function isCurrentEntry({ to, also = [] }: Entry, path: string): boolean {
  return to === '/' ? path === '/' : [to, ...also].some((way) => isUnder(path, way));
}
