/**
 * Safe mode: sold or reserved places may be moved and recoloured, but an edit that would remove
 * them, rename them or change their type is refused immediately.
 */
import { refusedByEdit, type Refused, type Taken } from '#server/drawing/diff/safe.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { DesignerTaken } from '#server/standins/seatsio/wire.ts';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import type { Guard } from '#apps/chart/designer/state/studio.ts';

/** A sale or reservation of a place: its event and order. */
export interface Holder {
  event: string;
  orderId: string | null;
  status: string;
}
export interface Held extends Taken {
  holders: Holder[];
}
export type Holding = ReadonlyMap<string, Held>;

export function holdingOf({ events, objects }: DesignerTaken): Holding {
  const held = new Map<string, Held>();
  for (const { label, event, orderId, status, places } of objects) {
    const { name, key = '' } = events[event] ?? {};
    const known = held.get(label);
    const holder: Holder = { event: name ?? key, orderId, status };
    held.set(label, {
      label,
      // An area has as many taken places as on its fullest event.
      places: Math.max(known?.places ?? 0, places),
      holders: [...(known?.holders ?? []), holder],
    });
  }
  return held;
}

/** A page that asks for safe mode protects every place of the published drawing, sold or not. */
export function holdingOfAll(published: Doc, config: DesignerConfig): Holding {
  const mayShrink = config.safeModeOptions?.allowEditingAreaCapacity === true;
  return new Map(
    listPlaces(published).map(({ label, capacity }) => [
      label,
      { label, places: mayShrink ? 0 : capacity, holders: [] },
    ]),
  );
}

interface Watch {
  /** Called at each edit, because places are sold meanwhile. */
  holding: () => Holding;
  mayDelete: boolean;
  /** Called with the refused places and the reason. */
  refuse: (refused: Refused<Held>[]) => void;
}

export function safeGuard({ holding, mayDelete, refuse }: Watch): Guard {
  return (wanted) => {
    const refused = refusedByEdit(wanted, holding()).filter(
      ({ why }) => !(mayDelete && why === 'removed'),
    );
    if (refused.length > 0) refuse(refused);
    return refused.length === 0;
  };
}
