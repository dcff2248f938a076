/** An object's state as a browser may see it: no token, no order, nobody's extra data. */
import { countObject } from './catalog.ts';
import type { LoadedEvent } from './catalog.ts';
import type { PlanObject } from './plan.ts';
import type { ObjectState } from './status-rule.ts';
import type { WireStatus } from './wire.ts';

/** Objects of a channel are not for sale to the public: chart.js names no channel keys. Places of an area that may not be sold count as booked. */
export function wireStatus(event: LoadedEvent, object: PlanObject, state: ObjectState): WireStatus {
  const sellable = event.sellable(object);
  const forSale = sellable.notForSale < Math.max(1, object.capacity) && event.channelOf(object.label) === undefined;
  const count = countObject(object, state, sellable);
  const booked = count.booked + (forSale ? count.notForSale : 0);
  return {
    label: object.label, status: state.status, ...(forSale ? {} : { forSale: false }),
    ...(sellable.byPlaces && booked > 0 ? { numBooked: booked } : {}), ...(sellable.byPlaces && count.held > 0 ? { numHeld: count.held } : {}),
  };
}

/** Absent means free: what rendering-info leaves out. */
export function isPlainlyFree(status: WireStatus): boolean {
  return status.status === 'free' && status.forSale === undefined && status.numBooked === undefined && status.numHeld === undefined;
}
