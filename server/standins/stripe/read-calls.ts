/** Calls that only read: one object by its id, or a page of those that pass the call's filters. */
import type { ReadCall, Reply } from './call.ts';
import { replyWith } from './expand.ts';
import { listObjects, paging, type Paging } from './lists.ts';
import {
  getObject,
  type Condition,
  type CreatedRange,
  type StoredObject,
} from './statements/objects.ts';
import { listOf, readParams, text, type Fields, type Read } from './transport/rules.ts';

/** The paths of `expand[]`. */
export const expand = listOf(text(), 20);

/** GET /v1/<kind>s/:id. Throws 404 resource_missing. */
export async function answerObject(call: ReadCall, kind: string): Promise<Reply> {
  const { expand: paths } = readParams(call.form, { expand });
  return replyWith(call, await getObject<StoredObject>(call.store, kind, call.id), paths);
}

/** GET /v1/<kind>s. A filter has the name of the field that it looks at unless `where` says otherwise; `created` is a range. */
export async function answerList<F extends Fields>(
  call: ReadCall,
  kind: string,
  { url, filters, where }: { url: string; filters: F; where?: (asked: Read<F>) => Condition[] },
): Promise<Reply> {
  const fields: Fields = { ...paging, expand, ...filters };
  const asked = readParams(call.form, fields) as Read<F> & {
    expand?: string[];
    created?: CreatedRange;
  } & Paging;
  const { expand: paths, created } = asked;
  const list = await listObjects<StoredObject>(call.store, kind, {
    url,
    page: asked,
    created,
    where: where ? where(asked) : sameNames(filters, asked),
  });
  return replyWith(call, list, paths);
}

function sameNames(filters: Fields, asked: object): Condition[] {
  return Object.keys(filters)
    .filter((name) => name !== 'created')
    .map((path) => ({ path, is: Reflect.get(asked, path) as string | boolean | undefined }));
}
