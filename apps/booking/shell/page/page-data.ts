/**
 * The data that the server has read for a page; they are in its HTML as JSON, so that server and
 * browser draw the same.
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
  /** The server's time, so that server and browser agree on what is past. */
  now: number;
  event?: EventReply;
  events?: ReplyOf<typeof listPublished>;
  site?: ReplyOf<typeof readSite>;
  legal?: { name: LegalName; text: ReplyOf<typeof readLegal> };
  /** The stored order; the page refetches it immediately. */
  order?: OrderReply;
  /** The id in the address, if there is no such event. */
  missing_event?: string;
  /** The server's texts for the page's dates (domain/time/dates.ts). */
  dates?: Readonly<Record<string, string>>;
}

/** The id of the script element with the data. */
export const pageDataId = 'page-data';

export interface DrawnPage {
  data: PageData;
  /** On the server only: receives the screen's title. */
  onTitle?: (title: string | null) => void;
}

export const DrawnPageContext = createContext<DrawnPage>({ data: { now: 0 } });

export function useDrawnPage(): DrawnPage {
  return useContext(DrawnPageContext);
}

/** Null: the page has no data, or they are unreadable. */
export function readPageData(): PageData | null {
  try {
    return JSON.parse(
      document.getElementById(pageDataId)?.textContent ?? 'null',
    ) as PageData | null;
  } catch {
    return null;
  }
}

/** Puts the data into the cache as fresh replies. */
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
