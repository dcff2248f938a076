/** Words for a person's data, and for when an order can be erased. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { findPerson } from '#server/contract/personal.ts';
import { blockerWords } from '#server/domain/person/erasure.ts';
import { formatListDate } from '#apps/shared/format.ts';

export type Found = ReplyOf<typeof findPerson>;

export function sayWhen({ blocker, erasable_at }: Found['orders'][number]): string {
  if (blocker === null) return 'Subito';
  const when =
    erasable_at === null
      ? 'Quando sarà deciso, da solo'
      : `Dal ${formatListDate(erasable_at).slice(0, 10)}, da solo`;
  return `${when}: ${blockerWords[blocker]}.`;
}
