/**
 * The one spelling of a selection, by which a repeated booking is recognised and its seats are
 * found again.
 */
import type { SelectedObject } from './order.ts';

/** Writes the same text for the same selection, whatever the order of its parts. */
export function writeSelection(selected: readonly SelectedObject[]): string {
  return JSON.stringify(
    selected
      .map(({ object_id, ticket_type, quantity }) => [
        object_id,
        ticket_type ?? null,
        quantity ?? 1,
      ])
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
}

export function readSelection(spelled: string): (SelectedObject & { quantity: number })[] {
  const parts = JSON.parse(spelled) as [string, string | null, number][];
  return parts.map(([object_id, ticket_type, quantity]) => ({
    object_id,
    quantity,
    ...(ticket_type === null ? {} : { ticket_type }),
  }));
}
