/**
 * What the server has already read for a page: it stands in the page as JSON, and both sides draw
 * from it.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { keyOf } from '#apps/shared/query.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { readLegal, readSite } from '#server/contract/site.ts';
import { learnDates } from '#server/domain/time/dates.ts';
import type { LegalName } from '#server/domain/site/legal-names.ts';
import type { EventReply, OrderReply } from '#apps/booking/shell/replies.ts';

export interface PageData {
  /** The server's minute, so that both sides sort the past from the future alike. */
  now: number;
  event?: EventReply;
  events?: ReplyOf<typeof listPublished>;
  site?: ReplyOf<typeof readSite>;
  legal?: { name: LegalName; text: ReplyOf<typeof readLegal> };
  /** As it is stored; the page asks at once whether it has changed. */
  order?: OrderReply;
  /** The address names an event that does not exist. */
  missing_event?: string;
  /** How the server has said the dates of this page (domain/time/dates.ts). */
  dates?: Readonly<Record<string, string>>;
}

/** The id of the script element that carries it. */
export const pageDataId = 'page-data';

export interface DrawnPage {
  data: PageData;
  /** Only while the server draws: hears the title that the screen sets. */
  onTitle?: (title: string | null) => void;
}

export const DrawnPageContext = createContext<DrawnPage>({ data: { now: 0 } });

export function useDrawnPage(): DrawnPage {
  return useContext(DrawnPageContext);
}

/** Null: this page came without data, or the data were changed on the way. */
export function readPageData(): PageData | null {
  try {
    return JSON.parse(
      document.getElementById(pageDataId)?.textContent ?? 'null',
    ) as PageData | null;
  } catch {
    return null;
  }
}

/** As if the calls had just been answered. */
export function fillCache(
  queryClient: QueryClient,
  { event, events, site, legal, dates = {} }: PageData,
): void {
  learnDates(dates);
  if (event !== undefined)
    queryClient.setQueryData(keyOf(getEvent, { params: { eventId: event.event.id } }), event);
  if (events !== undefined) queryClient.setQueryData(keyOf(listPublished, {}), events);
  if (site !== undefined) queryClient.setQueryData(keyOf(readSite, {}), site);
  if (legal !== undefined)
    queryClient.setQueryData(keyOf(readLegal, { params: { legalName: legal.name } }), legal.text);
}
