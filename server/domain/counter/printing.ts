/** Words for the states of a print job (RULES K6). */

/** `waiting`: the queue tries again by itself. `given_up`: a person cancelled the job. */
export const printStates = ['waiting', 'printed', 'given_up'] as const;
export type PrintState = (typeof printStates)[number];
/** Why a job waits. */
export const printTroubles = [
  'no_printer',
  'unreachable',
  'paper_out',
  'cover_open',
  'no_tickets',
] as const;
export type PrintTrouble = (typeof printTroubles)[number];
/** What a printer answers now; `silent`: it prints but reports no state. */
export const printerStates = ['ready', 'silent', ...printTroubles] as const;
export type PrinterState = (typeof printerStates)[number];

/** Tickets as wide as the roll, or on a card. */
export const ticketLayouts = ['80mm', 'a6'] as const;
export type TicketLayout = (typeof ticketLayouts)[number];
