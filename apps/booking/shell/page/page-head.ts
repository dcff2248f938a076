/** What a page's <head> tells others: title, description, its one address, link previews (Open Graph) and the event for search engines (schema.org). */
import { formatLongDate } from '#apps/shared/format.ts';
import { accentStyle } from '#server/domain/colour.ts';
import { schemaTypes } from '#server/domain/event-kind.ts';
import { plainText } from '#server/domain/plain-text.ts';
import { fullPrice, sellable } from '#server/domain/pricing.ts';
import type { PageData } from './page-data.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { unknownSite } from '#apps/booking/shell/site.ts';

export interface HeadFacts {
  path: string;
  publicUrl: string;
  /** As the screen set it; null: the site's own name. */ title: string | null;
  /** Search engines may keep it. */ indexed: boolean;
  data: PageData;
}

const usualDescription =
  'Scegli i tuoi posti sulla pianta del teatro e acquista i biglietti online.';
/** About what search engines and messengers show. */
const longestDescription = 160;

export function headOf({ path, publicUrl, title, indexed, data }: HeadFacts): string {
  const page = data.event;
  const site = data.site ?? unknownSite;
  const fullTitle =
    title === null
      ? `${site.name} – biglietti per spettacoli ed eventi`
      : `${title} · ${site.name}`;
  const address =
    page === undefined
      ? `${publicUrl}${path}`
      : `${publicUrl}/event/${encodeURIComponent(page.event.id)}`;
  const description = page === undefined ? usualDescription : describe(page);
  const picture = page === undefined ? null : previewPicture(page, publicUrl);
  const tags = [
    `<title>${escapeHtml(fullTitle)}</title>`,
    meta('name', 'description', description),
    ...(site.accent === null ? [] : [`<style>${accentStyle(site.accent)}</style>`]),
    ...(indexed
      ? [`<link rel="canonical" href="${escapeHtml(address)}" />`]
      : [meta('name', 'robots', 'noindex')]),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:locale', 'it_IT'),
    meta('property', 'og:site_name', site.name),
    meta('property', 'og:title', title ?? fullTitle),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    ...(picture === null
      ? [meta('name', 'twitter:card', 'summary')]
      : [
          meta('property', 'og:image', picture),
          meta('name', 'twitter:card', 'summary_large_image'),
        ]),
    ...(page === undefined
      ? []
      : [
          `<script type="application/ld+json">${escapeJson(eventForEngines(page, { publicUrl, address, picture, seller: site.organiser.name }))}</script>`,
        ]),
  ];
  return tags.join('\n    ');
}

function describe(page: EventReply): string {
  const { event, venue_title } = page;
  return shorten(
    `${formatLongDate(event.starts_at)}, ${venue_title}. ${plainText(event.attributes.description)}`,
  );
}

/** schema.org/Event, with an offer per ticket type; prices as they are paid, fee included. */
function eventForEngines(
  page: EventReply,
  {
    publicUrl,
    address,
    picture,
    seller,
  }: { publicUrl: string; address: string; picture: string | null; seller: string },
): object {
  const { event, prices, fee, sales } = page;
  const categories = sellable(event.attributes.seat_pricing, prices, fee);
  const offers = categories.flatMap(({ category, ticketTypes }) =>
    ticketTypes.map((type) => ({
      '@type': 'Offer',
      name: `${category} – ${type.label}`,
      category,
      url: address,
      price: (fullPrice(type) / 100).toFixed(2),
      priceCurrency: 'EUR',
      availability: `https://schema.org/${availabilityOf(page)}`,
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
    ...(event.doors_at === null ? {} : { doorTime: event.doors_at }),
    ...(event.postponed_from === null ? {} : { previousStartDate: event.postponed_from }),
    eventStatus: statusOf(event.status, event.postponed_from),
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    inLanguage: 'it',
    ...(page.other_dates.length === 0
      ? {}
      : {
          superEvent: {
            '@type': 'EventSeries',
            name: event.title,
            subEvent: datesOf(page, publicUrl),
          },
        }),
    location: {
      '@type': 'Place',
      name: page.venue_title,
      address: page.venue_address ?? page.venue_title,
    },
    description: shorten(plainText(event.attributes.description), 500),
    ...(picture === null ? {} : { image: [picture] }),
    organizer: { '@type': 'Organization', name: seller, url: `${publicUrl}/` },
    offers,
  };
}

/** The other evenings of the same show, each on a page of its own. */
function datesOf({ event, other_dates, venue_title }: EventReply, publicUrl: string): object[] {
  return other_dates.map((date) => ({
    '@type': 'Event',
    name: event.title,
    startDate: date.starts_at,
    url: `${publicUrl}/event/${encodeURIComponent(date.id)}`,
    location: { '@type': 'Place', name: venue_title },
    eventStatus: statusOf(date.status),
  }));
}

function statusOf(
  status: EventReply['event']['status'],
  postponed_from: string | null = null,
): string {
  if (status === 'cancelled') return 'https://schema.org/EventCancelled';
  return `https://schema.org/${postponed_from === null ? 'EventScheduled' : 'EventRescheduled'}`;
}

function availabilityOf({ sales, availability }: EventReply): string {
  if (sales.state === 'not_yet') return 'PreSale';
  if (sales.state !== 'open') return 'Discontinued';
  if (availability === 'none') return 'SoldOut';
  return availability === 'few' ? 'LimitedAvailability' : 'InStock';
}

/** Messengers show no SVG. Our own pictures have a file for them. */
function previewPicture(
  { banner_image, event_ball_image }: EventReply,
  publicUrl: string,
): string | null {
  const address =
    [banner_image, event_ball_image].find((image) => image !== null && !image.endsWith('.svg')) ??
    null;
  if (address === null) return null;
  return address.startsWith('/media/')
    ? `${publicUrl}${address}/1280.jpg`
    : new URL(address, publicUrl).href;
}

function shorten(text: string, longest = longestDescription): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2))}…`;
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** JSON inside a script element: nothing in it may end the element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
