/** Calls that only read: one object by its id, or a page of a filtered list, newest first. */
import type { Reader } from '#server/standins/kit/store.ts';
import type { ReadCall } from './call.ts';
import { expandInto, readPaths } from './expand.ts';
import {
  getObject,
  pageOfObjects,
  placeOf,
  type Condition,
  type StoredObject,
} from './statements/objects.ts';
import { ok, type Reply } from './transport/answers.ts';
import { missingObject } from './transport/errors.ts';
import {
  group,
  integer,
  listOf,
  readParams,
  text,
  type Fields,
  type Read,
} from './transport/rules.ts';

/** `{object:'list', url, has_more, data}`, like every list of Stripe. */
interface List<T> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: T[];
}

/** The paths of `expand[]`. */
const expand = listOf(text(), 20);
/** `created[gte]=1`, in unix seconds. */
const created = group({ gte: integer() });

/** The parameters that every list takes. */
export const listFields = {
  created,
  expand,
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
};
type Asked = Read<typeof listFields>;

/** GET /v1/<kind>s/:id. @throws StripeError 404 resource_missing */
export async function answerObject(call: ReadCall, kind: string): Promise<Reply> {
  const { expand: paths } = readParams(call.form, { expand });
  const object = await getObject(call.store, kind, call.id);
  return ok(await expandInto(call, object, readPaths(kind, paths)));
}

/** GET /v1/<kind>s. A filter compares the field of its name, unless `where` says otherwise. */
export async function answerList<F extends Fields>(
  call: ReadCall,
  kind: string,
  { url, filters, where }: { url: string; filters: F; where?: (asked: Read<F>) => Condition[] },
): Promise<Reply> {
  const fields: Fields = { ...listFields, ...filters };
  const asked = readParams(call.form, fields) as Read<F> & Asked;
  const conditions = where ? where(asked) : sameNames(filters, asked);
  const list = await listObjects(call.store, kind, { url, asked, conditions });
  return answerPage(call, kind, list, asked.expand);
}

/** Answers 200 with the list; each object is expanded. */
export async function answerPage(
  call: ReadCall,
  kind: string,
  list: List<StoredObject>,
  expanded: string[] | undefined,
): Promise<Reply> {
  const paths = readPaths(kind, expanded, 'data.');
  const data: object[] = [];
  for (const object of list.data) data.push(await expandInto(call, object, paths));
  return ok({ ...list, data });
}

/** @throws StripeError 400 resource_missing on an unknown cursor */
export async function listObjects<T extends StoredObject>(
  reader: Reader,
  kind: T['object'],
  { url, asked, conditions }: { url: string; asked: Asked; conditions: Condition[] },
): Promise<List<T>> {
  const { limit = 10, starting_after: id } = asked;
  const place = id === undefined ? undefined : await placeOf(reader, kind, id);
  if (id !== undefined && place === undefined)
    throw missingObject(kind, id, { param: 'starting_after', status: 400 });
  const since = asked.created?.gte ?? 0;
  const found = await pageOfObjects<T>(reader, kind, {
    limit: limit + 1,
    place,
    since,
    conditions,
  });
  return { object: 'list', url, has_more: found.length > limit, data: found.slice(0, limit) };
}

function sameNames(filters: Fields, asked: object): Condition[] {
  return Object.keys(filters).map((path) => ({
    path,
    is: Reflect.get(asked, path) as string | boolean | undefined,
  }));
}
