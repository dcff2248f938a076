/** The ways through the office: the entries of the bar, and the tabs inside an entry or an event. */
import type { Role } from '#server/domain/user.ts';
import type { IconName } from '#apps/shared/ui/icon.tsx';

/** How many things wait behind an entry: what asks for a person, or what the door could not decide. */
export type Waits = 'attention' | 'conflicts';

export interface Way {
  to: string;
  label: string;
  role: Role;
  waits?: Waits;
}

export interface Entry extends Way {
  icon: IconName;
  /** Addresses that belong to it besides its own. */
  also?: readonly string[];
}

/** One line per entry; an entry stands here once its screen exists. */
export const entries: readonly Entry[] = [
  // Vendi stands here.
  { to: '/events', label: 'Spettacoli', icon: 'calendar', role: 'office', also: ['/prices'] },
  { to: '/orders', label: 'Ordini', icon: 'cart', role: 'office' },
  { to: '/attention', label: 'Da sistemare', icon: 'warning', role: 'office', waits: 'attention' },
  { to: '/door', label: 'Porta', icon: 'door', role: 'door', waits: 'conflicts' },
  { to: '/reports', label: 'Rapporti', icon: 'bars', role: 'office' },
  { to: '/settings', label: 'Impostazioni', icon: 'sliders', role: 'admin' },
];

export const doorTabs: readonly Way[] = [
  { to: '/door/presence', label: 'Presenze', role: 'door' },
  { to: '/door/scans', label: 'Letture', role: 'door' },
  { to: '/door/conflicts', label: 'Conflitti', role: 'door', waits: 'conflicts' },
  { to: '/door/phones', label: 'Telefoni', role: 'office' },
  { to: '/door/rehearsals', label: 'Prova generale', role: 'office' },
];

/** The office reads mail and health, too: Oggi leads there. */
export const settingsTabs: readonly Way[] = [
  { to: '/settings/site', label: 'Sito e aspetto', role: 'admin' },
  // Persone e ruoli stands here.
  { to: '/settings/charts', label: 'Piante', role: 'admin' },
  { to: '/settings/mail', label: 'Posta', role: 'office' },
  { to: '/settings/health', label: 'Salute', role: 'office' },
  // Registro stands here.
];

export function eventTabs(eventId: string): readonly Way[] {
  const event = `/events/${encodeURIComponent(eventId)}`;
  return [
    { to: event, label: 'Panoramica', role: 'office' },
    { to: `${event}/seats`, label: 'Pianta e blocchi', role: 'office' },
    { to: `${event}/orders`, label: 'Ordini', role: 'office' },
    // Ospiti stands here.
    { to: `${event}/prices`, label: 'Prezzi', role: 'office' },
    { to: `${event}/door`, label: 'Porta', role: 'office' },
    { to: `${event}/edit`, label: 'Impostazioni', role: 'admin' },
  ];
}

/** Addresses of before, which people have kept and mails have named, and where they lead now. */
export const oldWays: readonly [from: string, to: string][] = [
  ['/admissions', '/door/scans'],
  ['/presence', '/door/presence'],
  ['/conflicts', '/door/conflicts'],
  ['/phones', '/door/phones'],
  ['/rehearsals', '/door/rehearsals'],
  ['/mailbox', '/settings/mail'],
  ['/charts', '/settings/charts'],
  ['/site', '/settings/site'],
  ['/health', '/settings/health'],
];

/** "/orders" holds "/orders/7", but not "/orders-of-old". */
export function isUnder(path: string, way: string): boolean {
  return path === way || path.startsWith(`${way}/`);
}

export function isCurrentEntry({ to, also = [] }: Entry, path: string): boolean {
  return to === '/' ? path === '/' : [to, ...also].some((way) => isUnder(path, way));
}
