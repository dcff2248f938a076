/** `expand[]` replaces ids by their objects, along paths like `payment_intent.latest_charge`. */
import type { ReadDesk } from './call.ts';
import { findObject, type StoredObject } from './statements/objects.ts';
import { refuse } from './transport/errors.ts';

/** The kinds of objects whose ids a field may hold, by kind and field. */
const LINKS = new Map([
  ['balance_transaction source', ['charge', 'refund', 'dispute', 'payout']],
  ['charge balance_transaction', ['balance_transaction']],
  ['checkout.session payment_intent', ['payment_intent']],
  ['payment_intent latest_charge', ['charge']],
  ['price product', ['product']],
]);

type Node = Record<string, unknown>;

/** The steps of an `expand[]` path. */
type Path = string[];

/**
 * Checks the kinds only, because a valid path stays valid even if nothing is linked now.
 * @throws StripeError 400 on a path that leads nowhere or lacks the prefix
 */
export function readPaths(kind: string, paths: string[] = [], prefix = ''): Path[] {
  return paths.map((path) => {
    const steps = path.slice(prefix.length).split('.');
    if (!path.startsWith(prefix) || !leadsOn(kind, steps))
      throw refuse(`This property cannot be expanded (${path}).`, { param: 'expand' });
    return steps;
  });
}

/** A copy of the object in which the paths are expanded. */
export async function expandInto(
  desk: ReadDesk,
  object: StoredObject,
  paths: Path[],
): Promise<object> {
  const copy: Node = { ...object };
  for (const steps of paths) await follow(desk, copy, steps);
  return copy;
}

function leadsOn(kind: string, [step, ...rest]: Path): boolean {
  if (step === undefined) return true;
  return (LINKS.get(`${kind} ${step}`) ?? []).some((next) => leadsOn(next, rest));
}

async function follow(desk: ReadDesk, node: Node, [step, ...rest]: Path): Promise<void> {
  if (step === undefined) return;
  const id = node[step];
  const kinds = LINKS.get(`${String(node['object'])} ${step}`) ?? [];
  if (typeof id === 'string') node[step] = (await findAny(desk, kinds, id)) ?? id;
  const next = node[step];
  if (typeof next === 'object' && next !== null) await follow(desk, next as Node, rest);
}

async function findAny(
  desk: ReadDesk,
  kinds: string[],
  id: string,
): Promise<StoredObject | undefined> {
  for (const kind of kinds) {
    const found = await findObject(desk.store, kind, id);
    if (found) return found;
  }
  return undefined;
}
