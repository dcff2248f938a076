/**
 * The parts of a ticket for an 80 mm roll, from which the printer's bytes and the office's
 * preview are made.
 */
import type { TicketSheet } from './ticket-sheet.ts';

/** What the house prints about itself. `logo` is `/media/{id}`. */
export interface HousePaper {
  logo: string | null;
  rules: string[];
  foot: string[];
}

/**
 * A printed ticket with its seller and its order; tickets are cut one by one, so none has a
 * position.
 */
export interface ThermalTicket extends Omit<TicketSheet, 'position'> {
  organiser: string;
  no_seal: string;
  house: HousePaper;
}

export type ThermalPart =
  | { kind: 'line'; text: string; bold: boolean; wide: boolean; tall: boolean }
  | { kind: 'code'; text: string }
  | { kind: 'rule' | 'gap' | 'logo' };

export function thermalParts(ticket: ThermalTicket): ThermalPart[] {
  const { house } = ticket;
  return [
    ...(house.logo === null ? [] : [{ kind: 'logo' } as const]),
    ...line(ticket.organiser),
    ...line(ticket.trial, { bold: true }),
    ...line(ticket.title, { bold: true, wide: true, tall: true }),
    ...line(ticket.date, { bold: true }),
    ...line(ticket.doors),
    ...line(ticket.venue),
    { kind: 'rule' },
    ...line(ticket.seat, { bold: true, tall: true }),
    ...line(ticket.gate),
    ...line(ticket.price),
    ...line(ticket.holder),
    ...line(ticket.fiscal),
    { kind: 'gap' },
    { kind: 'code', text: ticket.code },
    ...line(ticket.code_for_people),
    ...line(ticket.order),
    ...house.rules.flatMap((rule) => line(rule)),
    ...house.foot.flatMap((words) => line(words)),
    ...line(ticket.no_seal),
  ];
}

function line(
  text: string | null,
  { bold = false, wide = false, tall = false } = {},
): ThermalPart[] {
  return text === null ? [] : [{ kind: 'line', text, bold, wide, tall }];
}
