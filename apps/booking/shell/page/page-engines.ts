/**
 * Structured data for search engines (schema.org): an event with its offers, or the programme as
 * a list.
 */
import { schemaTypes } from '#server/domain/event/event-kind.ts';
import { plainText } from '#server/domain/text/plain-text.ts';
import { fullPrice, sellable } from '#server/domain/price/pricing.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listPublished } from '#server/contract/events.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { shorten } from './page-words.ts';

type Listed = ReplyOf<typeof listPublished>['items'][number];

interface EventFacts {
  publicUrl: string;
  address: string;
  picture: string | null;
  seller: string;
}

/** One offer per ticket type; prices include the fee. */
export function eventForEngines(
  page: EventReply,
  { publicUrl, address, picture, seller }: EventFacts,
): object {
  const { event, prices, surcharges, sales } = page;
  const categories = sellable(event.attributes.seat_pricing, prices, surcharges);
  const offers = categories.flatMap(({ category, ticketTypes }) =>
    ticketTypes.map((type) => ({
      '@type': 'Offer',
      name: `${category} – ${type.label}`,
      category,
      url: address,
      price: (fullPrice(type) / 100).toFixed(2),
      priceCurrency: 'EUR',
      availability: availabilityOf(page),
      ...(sales.opens_at === null ? {} : { validFrom: sales.opens_at }),
      validThrough: sales.closes_at,
    })),
  );
  return {
    '@context': 'https://schema.org',
    '@type': schemaTypes[event.kind],
    name: event.title,
    url: address,
    startDate: event.starts_at,
    ...(event.ends_at === null ? {} : { endDate: event.ends_at }),
    ...whenAndHow(event),
    ...(page.other_dates.length === 0
      ? {}
      : {
          superEvent: {
            '@type': 'EventSeries',
            name: event.title,
            subEvent: datesOf(page, publicUrl),
          },
        }),
    location: placeOf(page),
    description: shorten(plainText(event.attributes.description), 500),
    ...(picture === null ? {} : { image: [picture] }),
    organizer: { '@type': 'Organization', name: seller, url: `${publicUrl}/` },
    offers,
  };
}

/** At most this many coming evenings are listed. */
const mostListed = 50;

/** The coming events as a list for search engines; null if there are none. */
export function programmeForEngines(
  items: readonly Listed[],
  { publicUrl, now }: { publicUrl: string; now: number },
): object | null {
  const coming = items.filter(({ starts_at }) => Date.parse(starts_at) > now).slice(0, mostListed);
  if (coming.length === 0) return null;
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: coming.map((event, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      item: listedForEngines(event, `${publicUrl}/event/${encodeURIComponent(event.id)}`),
    })),
  };
}

function listedForEngines(event: Listed, address: string): object {
  const { from_price, sales } = event;
  return {
    '@type': schemaTypes[event.kind],
    name: event.title,
    url: address,
    startDate: event.starts_at,
    ...whenAndHow(event),
    location: placeOf(event),
    ...(from_price === null
      ? {}
      : {
          offers: {
            '@type': 'AggregateOffer',
            url: address,
            lowPrice: (from_price / 100).toFixed(2),
            priceCurrency: 'EUR',
            availability: availabilityOf(event),
            ...(sales.opens_at === null ? {} : { validFrom: sales.opens_at }),
            validThrough: sales.closes_at,
          },
        }),
  };
}

type Dated = Pick<Listed, 'doors_at' | 'postponed_from' | 'status'>;

function whenAndHow({ doors_at, postponed_from, status }: Dated): object {
  return {
    ...(doors_at === null ? {} : { doorTime: doors_at }),
    ...whenMoved({ postponed_from, status }),
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    inLanguage: 'it',
  };
}

function placeOf({
  venue_title,
  venue_address,
}: Pick<Listed, 'venue_title' | 'venue_address'>): object {
  return { '@type': 'Place', name: venue_title, address: venue_address ?? venue_title };
}

/** The other dates of the show, with the addresses of their pages. */
function datesOf({ event, other_dates, ...venue }: EventReply, publicUrl: string): object[] {
  return other_dates.map((date) => ({
    '@type': 'Event',
    name: event.title,
    startDate: date.starts_at,
    url: `${publicUrl}/event/${encodeURIComponent(date.id)}`,
    location: placeOf(venue),
    ...whenMoved(date),
  }));
}

function whenMoved({ status, postponed_from }: Pick<Listed, 'status' | 'postponed_from'>): object {
  const moved = postponed_from === null ? 'EventScheduled' : 'EventRescheduled';
  return {
    ...(postponed_from === null ? {} : { previousStartDate: postponed_from }),
    eventStatus: `https://schema.org/${status === 'cancelled' ? 'EventCancelled' : moved}`,
  };
}

function availabilityOf({ sales, availability }: Pick<Listed, 'sales' | 'availability'>): string {
  return `https://schema.org/${availabilityWord({ sales, availability })}`;
}

function availabilityWord({ sales, availability }: Pick<Listed, 'sales' | 'availability'>): string {
  if (sales.state === 'not_yet') return 'PreSale';
  if (sales.state !== 'open') return 'Discontinued';
  if (availability === 'none') return 'SoldOut';
  return availability === 'few' ? 'LimitedAvailability' : 'InStock';
}
