/** Turns the actors in the audit (`user:<id>`, `phone:<id>`) into names. */
import type { Db } from '#db/engine/dialect.ts';
import { phoneNames } from '#db/door/phones.ts';
import { userNames } from '#db/user/users.ts';
import type { Actor } from '#server/services/context.ts';

export type NameOf = (actor: Actor) => string;

/** Reads all names together; a deleted person has no name, so the id is shown. */
export async function namesOf(db: Db, actors: readonly Actor[]): Promise<NameOf> {
  const idsOf = (kind: string) => [
    ...new Set(
      actors
        .filter((actor) => actor.startsWith(`${kind}:`))
        .map((actor) => actor.slice(kind.length + 1)),
    ),
  ];
  const [users, phones] = [idsOf('user'), idsOf('phone')];
  const names = new Map([
    ...(users.length > 0 ? await userNames(db, users) : []),
    ...(phones.length > 0 ? await phoneNames(db, phones) : []),
  ]);
  return (actor) => names.get(actor.slice(actor.indexOf(':') + 1)) ?? actor;
}
