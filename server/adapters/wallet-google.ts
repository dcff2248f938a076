/**
 * Google Wallet: a ticket is one web address that contains everything, signed with the owner's
 * key, made here without a call to Google.
 */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { isoOf } from '#server/domain/time/dates.ts';
import { waysIn } from '#server/domain/door/gate.ts';
import type { WalletTicket } from '#server/domain/order/wallet.ts';

/** The account at pay.google.com and its service account; `private_key` is PEM. */
export interface GoogleWalletConfig {
  issuer_id: string;
  client_email: string;
  private_key: string;
}

/** An address may have about 1,800 characters, so long words are cut and some left out. */
const longestText = 60;

/** `now`: epoch milliseconds. */
export function googleSaveUrl(
  { issuer_id, client_email, private_key }: GoogleWalletConfig,
  { ticket, now, publicUrl }: { ticket: WalletTicket; now: number; publicUrl: string },
): string {
  const claims = {
    iss: client_email,
    aud: 'google',
    typ: 'savetowallet',
    iat: Math.floor(now / 1_000),
    origins: [publicUrl],
    payload: payloadOf(issuer_id, ticket),
  };
  return `https://pay.google.com/gp/v/save/${signToken(claims, createPrivateKey(private_key))}`;
}

/**
 * Google's class is the event, its object the ticket. Google keeps the first class and object
 * that it gets under an id.
 */
function payloadOf(issuer_id: string, ticket: WalletTicket): object {
  const { event, holder } = ticket;
  const ways = waysIn(ticket).join(' · ');
  const edition = editionOf(event);
  const classId = `${issuer_id}.${event.id}${edition}`;
  return {
    eventTicketClasses: [
      {
        id: classId,
        issuerName: cut(ticket.organiser),
        reviewStatus: 'UNDER_REVIEW',
        ...(ticket.colour === null ? {} : { hexBackgroundColor: ticket.colour }),
        eventName: say(event.title),
        venue: {
          name: say(event.venue_title),
          address: say(event.venue_address ?? event.venue_title),
        },
        dateTime: {
          start: isoOf(event.starts_at),
          ...(event.doors_at === null ? {} : { doorsOpen: isoOf(event.doors_at) }),
        },
      },
    ],
    eventTicketObjects: [
      {
        id: `${issuer_id}.${ticket.serial}${edition}`,
        classId,
        state: 'ACTIVE',
        ticketNumber: ticket.order_number,
        ticketType: say(
          ticket.trial ? `PROVA, non vale – ${ticket.type_label}` : ticket.type_label,
        ),
        ...(holder === null ? {} : { ticketHolderName: cut(holder) }),
        seatInfo: { seat: say(ticket.seat), ...(ways === '' ? {} : { gate: say(ways) }) },
        barcode: { type: 'QR_CODE', value: ticket.code, alternateText: ticket.code_for_people },
      },
    ],
  };
}

/** Google never updates a class, so an event that has moved needs a class with a new id. */
function editionOf({ postponed_from, starts_at, moved_at }: WalletTicket['event']): string {
  const moves = [postponed_from === null ? null : starts_at, moved_at];
  return moves.map((at) => (at === null ? '' : `.${at.toString(36)}`)).join('');
}

function say(value: string): object {
  return { defaultValue: { language: 'it', value: cut(value) } };
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length <= longestText ? text : `${letters.slice(0, longestText - 1).join('')}…`;
}

/** Signs a JSON Web Token with RS256 (RFC 7515). */
function signToken(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}
