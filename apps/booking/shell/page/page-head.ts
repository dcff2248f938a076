/**
 * A page's <head> for others: title, description, canonical address, link previews (Open Graph)
 * and data for search engines (schema.org).
 */
import { formatLongDate } from '#apps/shared/format.ts';
import { accentStyle } from '#server/domain/site/colour.ts';
import { escapeHtml, plainText } from '#server/domain/text/plain-text.ts';
import type { PageData } from './page-data.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { unknownSite } from '#apps/booking/shell/site.ts';
import { eventForEngines, programmeForEngines } from './page-engines.ts';
import { shorten } from './page-words.ts';

interface HeadFacts {
  path: string;
  publicUrl: string;
  /** The screen's title; null: the site's name. */ title: string | null;
  /** Search engines may index the page. */ indexed: boolean;
  data: PageData;
}

const usualDescription =
  'Scegli i tuoi posti sulla pianta del teatro e acquista i biglietti online.';
/** Search engines and messengers show about this many characters. */
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
    ...(data.events === undefined
      ? []
      : [`<link rel="alternate" type="text/calendar" href="${calendarPath}" />`]),
    ...engineTags(data, { publicUrl, address, picture, seller: site.organiser.name }),
  ];
  return tags.join('\n    ');
}

/** The programme as a calendar to subscribe to (server/http/sitemap.ts). */
const calendarPath = '/calendario.ics';

function engineTags(
  { event, events, now }: PageData,
  facts: Parameters<typeof eventForEngines>[1],
): string[] {
  const { publicUrl } = facts;
  const programme = events && programmeForEngines(events.items, { publicUrl, now });
  const told = event === undefined ? programme : eventForEngines(event, facts);
  return told ? [`<script type="application/ld+json">${escapeJson(told)}</script>`] : [];
}

function describe(page: EventReply): string {
  const { event, venue_title } = page;
  return shorten(
    `${formatLongDate(event.starts_at)}, ${venue_title}. ${plainText(event.attributes.description)}`,
    longestDescription,
  );
}

/** Messengers show no SVG; our own pictures have other formats. */
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

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;
}

/** JSON for a script element, without anything that would end the element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
