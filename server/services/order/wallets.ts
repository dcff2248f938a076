/** Valid tickets as Apple Wallet and Google Wallet passes. */
import { countMovesOf } from '#db/order/moves.ts';
import { lastPlaceMove } from '#db/event/postponements.ts';
import { ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import { makeApplePass } from '#server/adapters/wallet-apple.ts';
import { googleSaveUrl } from '#server/adapters/wallet-google.ts';
import { isNameMissing } from '#server/domain/order/holder.ts';
import { accentOf } from '#server/domain/site/look.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { walletNames, type WalletName, type WalletTicket } from '#server/domain/order/wallet.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { fileName, type Document } from './documents.ts';
import { orderAndEvent } from './find-order.ts';
import { ticketsUrl } from './order-link.ts';
import { lookOf } from '#server/services/site/look.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { ticketsForHolder } from './tickets.ts';

/** The wallets whose keys are set. */
export function walletsOf(ctx: Ctx): WalletName[] {
  return walletNames.filter((name) => ctx.settings[`${name}Wallet`] !== null);
}

/** @throws Refusal wallet_not_offered, and the refusals of walletTicket() */
export async function applePass(ctx: Ctx, order_id: string, ticket_id: string): Promise<Document> {
  const { appleWallet } = ctx.settings;
  if (appleWallet === null) throw new Refusal('wallet_not_offered');
  const ticket = await walletTicket(ctx, order_id, ticket_id);
  return {
    name: `${fileName(ticket.event.title)} ${ticket.order_number}.pkpass`,
    type: 'application/vnd.apple.pkpass',
    content: await makeApplePass(appleWallet, ticket),
  };
}

/** @throws Refusal wallet_not_offered, and the refusals of walletTicket() */
export async function googleTicket(
  ctx: Ctx,
  order_id: string,
  ticket_id: string,
): Promise<{ save_url: string }> {
  const { googleWallet } = ctx.settings;
  if (googleWallet === null) throw new Refusal('wallet_not_offered');
  const ticket = await walletTicket(ctx, order_id, ticket_id);
  const { publicUrl } = ctx;
  return { save_url: googleSaveUrl(googleWallet, { ticket, now: ctx.now(), publicUrl }) };
}

/**
 * @throws Refusal order_not_found, order_not_confirmed, ticket_not_found, event_cancelled,
 * no_valid_tickets, holder_missing
 */
async function walletTicket(ctx: Ctx, order_id: string, ticket_id: string): Promise<WalletTicket> {
  const { order, event } = await orderAndEvent(ctx, order_id);
  if (order.state !== 'confirmed') throw new Refusal('order_not_confirmed');
  const stored = (await ticketsOfOrder(ctx.db, order.id)).find(({ id }) => id === ticket_id);
  if (!stored) throw new Refusal('ticket_not_found');
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  if (stored.state !== 'valid') throw new Refusal('no_valid_tickets');
  if (isNameMissing(event, stored)) throw new Refusal('holder_missing');
  const tickets = await ticketsForHolder(ctx, event, order.id);
  return {
    ...requireValue(
      tickets.find((shown) => shown.ticket_id === ticket_id),
      'ticket',
    ),
    serial: await serialOf(ctx, stored),
    event: { ...event, moved_at: await lastPlaceMove(ctx.db, event.id) },
    organiser: (await organiserOf(ctx)).name,
    colour: accentOf(await lookOf(ctx))?.light ?? null,
    order_number: order.number,
    url: ticketsUrl(ctx),
  };
}

/**
 * The pass's number: each code has its own pass. It contains the number of moves, because
 * revisions begin again on another place.
 */
async function serialOf(ctx: Ctx, { id, revision }: TicketWithPlace): Promise<string> {
  const moves = await countMovesOf(ctx.db, id);
  return moves === 0 ? `${id}.${revision}` : `${id}.${revision}.${moves}`;
}
