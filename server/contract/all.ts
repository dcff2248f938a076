/**
 * The list of all endpoints, against which routes, OpenAPI and the route × role test are checked.
 */
import * as account from './account.ts';
import * as admissions from '#server/contract/door/admissions.ts';
import * as blocks from './blocks.ts';
import * as books from './books.ts';
import * as backups from './backups.ts';
import * as breaks from './breaks.ts';
import * as charts from './charts.ts';
import * as contingents from './contingents.ts';
import * as counter from './counter.ts';
import * as dateAnswers from './date-answers.ts';
import * as transfers from './transfers.ts';
import * as days from './days.ts';
import * as against from '#server/contract/door/against.ts';
import * as conflicts from '#server/contract/door/conflicts.ts';
import * as documents from '#server/contract/order/documents.ts';
import * as doubts from '#server/contract/door/doubts.ts';
import type { EndpointShape } from './endpoint.ts';
import * as eventDesk from './event-desk.ts';
import * as eventPreview from './event-preview.ts';
import * as events from './events.ts';
import * as gifts from './gifts.ts';
import * as guests from './guests.ts';
import * as health from './health.ts';
import * as holders from '#server/contract/order/holders.ts';
import * as holds from './holds.ts';
import * as images from './images.ts';
import * as free from '#server/contract/order/free.ts';
import * as links from '#server/contract/order/links.ts';
import * as exchanges from '#server/contract/order/exchanges.ts';
import * as moves from '#server/contract/order/moves.ts';
import * as jobs from './jobs.ts';
import * as heads from '#server/contract/door/heads.ts';
import * as invoices from './invoices.ts';
import * as office from './office.ts';
import * as lostSales from './lost-sales.ts';
import * as mails from './mails.ts';
import * as orderDesk from '#server/contract/order/order-desk.ts';
import * as messages from './messages.ts';
import * as announcements from './announcements.ts';
import * as orders from '#server/contract/order/orders.ts';
import * as paper from './paper.ts';
import * as payouts from './payouts.ts';
import * as papers from './papers.ts';
import * as people from './people.ts';
import * as personal from './personal.ts';
import * as phones from '#server/contract/door/phones.ts';
import * as phoneScans from '#server/contract/door/phone-scans.ts';
import * as cancellations from './cancellations.ts';
import * as postponements from './postponements.ts';
import * as presence from '#server/contract/door/presence.ts';
import * as priceCodes from './price-codes.ts';
import * as priceMatrix from './price-matrix.ts';
import * as priceRules from './price-rules.ts';
import * as prices from './prices.ts';
import * as ticketLinks from '#server/contract/order/ticket-links.ts';
import * as stripeChange from './stripe-change.ts';
import * as programReading from '#server/contract/program/reading.ts';
import * as programTokens from '#server/contract/program/tokens.ts';
import * as programWebhooks from '#server/contract/program/webhooks.ts';
import * as queue from './queue.ts';
import * as handBack from './hand-back.ts';
import * as refunds from '#server/contract/order/refunds.ts';
import * as registry from './registry.ts';
import * as rehearsals from '#server/contract/door/rehearsals.ts';
import * as rehousings from './rehousings.ts';
import * as reminders from './reminders.ts';
import * as reports from './reports.ts';
import * as rum from './rum.ts';
import * as search from './search.ts';
import * as seats from './seats.ts';
import * as shifts from './shifts.ts';
import * as shows from './shows.ts';
import * as summaries from './summaries.ts';
import * as look from './look.ts';
import * as started from './started.ts';
import * as site from './site.ts';
import * as today from './today.ts';
import * as users from './users.ts';
import * as wallets from '#server/contract/order/wallets.ts';

export const endpoints: Record<string, EndpointShape> = Object.fromEntries(
  [
    admissions,
    blocks,
    books,
    backups,
    breaks,
    charts,
    conflicts,
    against,
    contingents,
    counter,
    dateAnswers,
    transfers,
    days,
    documents,
    doubts,
    eventDesk,
    eventPreview,
    events,
    gifts,
    guests,
    heads,
    health,
    holders,
    holds,
    images,
    jobs,
    lostSales,
    mails,
    free,
    links,
    ticketLinks,
    exchanges,
    moves,
    messages,
    announcements,
    office,
    orderDesk,
    orders,
    paper,
    payouts,
    papers,
    invoices,
    people,
    personal,
    phones,
    phoneScans,
    postponements,
    cancellations,
    presence,
    priceCodes,
    priceMatrix,
    priceRules,
    prices,
    stripeChange,
    programReading,
    programTokens,
    programWebhooks,
    queue,
    handBack,
    refunds,
    registry,
    rehearsals,
    rehousings,
    reminders,
    reports,
    rum,
    search,
    seats,
    shifts,
    shows,
    summaries,
    look,
    site,
    started,
    today,
    users,
    wallets,
    account,
  ]
    .flatMap((room) => Object.entries(room))
    .filter((entry): entry is [string, EndpointShape] => isEndpoint(entry[1])),
);

function isEndpoint(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'path' in value && 'method' in value;
}
