/** Helpers for tests of a change of hall in another building. */
import { readEvent } from '#server/contract/event-desk.ts';
import { proposeRehousing } from '#server/contract/rehousings.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import { callOk } from './make.ts';
import type { Office } from './move.ts';
import { hallOf, type Plan } from './rehousing.ts';
import type { TestServer } from './server.ts';

export type News = NonNullable<Asked<typeof proposeRehousing>['body']['news']>;

export const away = {
  venue_title: 'Teatro Verdi',
  venue_address: 'Via Carducci 5, Pisa',
  venue_href: 'https://teatroverdi.example/dove',
} as const;
export const why = 'Al Goldoni si è rotto il riscaldamento.';

/** Another building, with doors 40 minutes before the start, and two days to answer. */
export async function elsewhere(
  server: TestServer,
  office: Office,
  more: Partial<NonNullable<News['place']>> = {},
): Promise<News> {
  const { form } = await callOk(server, readEvent, { params: hallOf }, office);
  const doors = new Date(Date.parse(form.starts_at) - 40 * 60_000);
  const due = new Date(server.clock.now() + 2 * 86_400_000);
  const place = {
    ...away,
    doors_at: doors.toISOString(),
    answer_by: due.toISOString(),
    if_silent: 'keep' as const,
  };
  return { reason: why, place: { ...place, ...more } };
}

export async function proposeElsewhere(
  server: TestServer,
  office: Office,
  { chart_key, ...more }: { chart_key: string } & Parameters<typeof elsewhere>[2],
): Promise<Plan> {
  const news = await elsewhere(server, office, more);
  return callOk(server, proposeRehousing, { params: hallOf, body: { chart_key, news } }, office);
}
