/** Lists in Stripe's shape, newest first and page by page, over stored objects or over the parts of one. */
import * as v from 'valibot';
import type { Reader } from '#server/standins/kit/store.ts';
import {
  pageOfObjects,
  placeOf,
  type Condition,
  type CreatedRange,
  type StoredObject,
} from './statements/objects.ts';
import { missingObject, refuse } from './transport/errors.ts';
import { group, integer, text, type Rule } from './transport/rules.ts';

/** `{object:'list', url, has_more, data}` as in every Stripe list. */
export interface List<T> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: T[];
}

/** The parameters that every list takes. */
export const paging = {
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
  ending_before: text(),
};
export interface Paging {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

/** Answers a list call: `created` and the conditions filter, the cursors page. Throws 400 resource_missing on an unknown cursor. */
export async function listObjects<T extends StoredObject>(
  reader: Reader,
  kind: T['object'],
  ask: {
    url: string;
    page: Paging;
    created?: CreatedRange;
    where?: Condition[];
  },
): Promise<List<T>> {
  const { limit = 10 } = ask.page;
  const { id, newer, param } = cursorOf(ask.page);
  const place = id === undefined ? undefined : await placeOf(reader, kind, id);
  if (id !== undefined && place === undefined)
    throw missingObject(kind, id, { param, status: 400 });
  const { created = {}, where = [] } = ask;
  const found = await pageOfObjects<T>(reader, kind, {
    limit: limit + 1,
    place,
    newer,
    created,
    where,
  });
  const data = found.slice(0, limit);
  return {
    object: 'list',
    url: ask.url,
    has_more: found.length > limit,
    data: newer ? data.reverse() : data,
  };
}

/** Pages a list that is part of one object, in its own order. */
export function listParts<T extends { id: string }>(
  all: T[],
  ask: { url: string; page: Paging; kind: string },
): List<T> {
  const { limit = 10 } = ask.page;
  const { id, newer, param } = cursorOf(ask.page);
  const at = id === undefined ? -1 : all.findIndex((part) => part.id === id);
  if (id !== undefined && at < 0) throw missingObject(ask.kind, id, { param, status: 400 });
  const rest = newer ? all.slice(0, at) : all.slice(at + 1);
  const data = newer ? rest.slice(-limit) : rest.slice(0, limit);
  return { object: 'list', url: ask.url, has_more: rest.length > limit, data };
}

/** `created=1` or `created[gte]=1&created[lt]=2`. */
export function createdRange(): Rule<CreatedRange> {
  const second = integer();
  const exactly = v.pipe(
    second,
    v.transform((at) => ({ gte: at, lte: at })),
  );
  const range = group({ gt: second, gte: second, lt: second, lte: second });
  return v.lazy((given) => (typeof given === 'string' ? exactly : range));
}

/** The object that a page begins behind, in whichever direction. */
function cursorOf({ starting_after, ending_before }: Paging): {
  id: string | undefined;
  newer: boolean;
  param: string;
} {
  const newer = ending_before !== undefined;
  if (newer && starting_after !== undefined)
    throw refuse('Only one of starting_after and ending_before may be given.', {
      param: 'ending_before',
    });
  return {
    id: starting_after ?? ending_before,
    newer,
    param: newer ? 'ending_before' : 'starting_after',
  };
}
