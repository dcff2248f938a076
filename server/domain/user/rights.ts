/** What a person may do, by role: server and screens use this one table (RULES U1). */
import { roleNames, roles, type Role } from './user.ts';

/** The scope of a right: everything, or what a person at a till works with (`till`, RULES K7). */
type Scope = 'all' | 'till';
/** A role has a whole right, or a right within a scope. */
type Grant = Role | { role: Role; scope: Exclude<Scope, 'all'> };

const office: readonly Role[] = ['admin', 'office'];
const admin: readonly Role[] = ['admin'];

const table = {
  /** See one's own account, change its password, end its sessions. */
  own_account: roles,
  /** Events with their numbers, without names of buyers. */
  see_events: ['admin', 'office', 'cassa', 'viewer'],
  see_presence: ['admin', 'office', 'viewer', 'door'],
  see_reports: ['admin', 'office', 'viewer'],
  /** Payouts order by order, summaries for the accountant. */
  see_money: office,
  /** Invoices that buyers want, with their tax codes. */
  see_invoices: office,
  /** Fiscal seals of a recognised system, read from a file. */
  change_papers: office,
  /** Scans, tickets at the desk, people let in by hand. */
  admit: ['admin', 'office', 'door'],
  settle_door: office,
  import_scans: office,
  see_devices: office,
  change_devices: admin,
  /** Who sits where. */
  see_seats: office,
  /** Keep seats back, and sell them again. */
  block_seats: office,
  /** Move tickets to other seats. */
  move_tickets: office,
  see_prices: office,
  see_orders: [...office, { role: 'cassa', scope: 'till' }],
  /** Who comes to an event, ticket by ticket. */
  see_guests: office,
  change_orders: office,
  /** Export personal data as a file. */
  export_orders: office,
  refund: office,
  see_mail: office,
  send_mail: office,
  /** Write to many buyers at once. */
  send_messages: office,
  /** See work that other people have started, as far as their own rights reach. */
  see_started: office,
  /** Everything that waits for a person. */
  see_attention: office,
  settle_differences: office,
  see_health: office,
  /** Have a backup made now. */
  make_backups: admin,
  /** Run a waiting job now, or cancel it. */
  change_jobs: admin,
  edit_events: office,
  cancel_events: admin,
  import_charts: admin,
  change_site: admin,
  /** The Registro: who did what. */
  see_audit: admin,
  manage_people: admin,
  /** All data about one buyer: see it, export it, erase it. */
  see_personal_data: admin,
  /** Keys of other programs, and their webhooks. */
  change_programs: admin,
  /** The counter: sell and print. */
  sell: ['admin', 'office', 'cassa'],
  /** Open, count and close a till. */
  shift: ['admin', 'office', 'cassa'],
  /** Sell more places in one order than a visitor may buy. */
  sell_groups: office,
  /** Sell at a lower price than the list's. */
  price_by_hand: office,
  /** Say that a bank transfer has come. */
  book_transfers: office,
  /** See the shifts of others. */
  see_shifts: office,
  /** Count the drawer of a cashier who has gone home. */
  close_shifts: office,
  /** Count and sign the day of all tills together. */
  close_days: office,
} satisfies Record<string, readonly Grant[]>;

export type Right = keyof typeof table;

export function may(role: Role, right: Right): boolean {
  return rolesWith(right).includes(role);
}

export function rolesWith(right: Right): readonly Role[] {
  return grantsOf(right).map((grant) => (typeof grant === 'string' ? grant : grant.role));
}

/** The scope of a role's right; null: the role does not have it. */
export function scopeOf(role: Role, right: Right): Scope | null {
  const grants = grantsOf(right);
  if (grants.includes(role)) return 'all';
  const part = grants.find((grant) => typeof grant !== 'string' && grant.role === role);
  return typeof part === 'object' ? part.scope : null;
}

function grantsOf(right: Right): readonly Grant[] {
  return table[right];
}

/** The sentence for the person who was refused. */
export function whoMay(those: readonly Role[]): string {
  const names = those.map((role) => `«${roleNames[role]}»`);
  return names.length === 1
    ? `Può farlo solo chi ha il ruolo ${names[0]}.`
    : `Può farlo chi ha uno di questi ruoli: ${names.join(', ')}.`;
}
