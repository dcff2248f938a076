/** Best available places: the server finds them, and holds them if there is a session. */
import type { BestAvailableAnswer, BestAvailableRequest } from '#server/standins/seatsio/wire.ts';
import { CallFailed, type Client } from './client.ts';
import type { Want } from '#apps/chart/places/chosen.ts';
import type {
  BestAvailableConfig,
  CategoryName,
  ChartConfig,
  SelectBestAvailable,
} from '#apps/chart/config.ts';
import type { HoldSession } from './hold.ts';
import { isCategory, type Places } from '#apps/chart/places/places.ts';
import { placeLabel, type Scene } from '#apps/chart/scene/scene.ts';
import type { Selection } from './selection.ts';
import { words } from '#apps/chart/words.ts';

interface BestWants {
  scene: Scene;
  places: Places;
  selection: Selection;
  session: HoldSession;
  client: Client;
  config: () => ChartConfig;
}

/** Thrown when no places fit, or when others took them first. */
export class NothingFound extends Error {}

export interface BestResult {
  places: number[];
  nextToEachOther?: boolean;
}

/** Translates an option of older pages, `category`. */
export function readBest({ category, ...ask }: SelectBestAvailable): BestAvailableConfig {
  return category === undefined
    ? ask
    : { ...ask, categories: Array.isArray(category) ? category : [category] };
}

/**
 * Finds and chooses the best places; with a session they are held before anything is shown.
 * @throws NothingFound when there are none; CallFailed without an answer; Error for a wrong or
 * too large wish
 */
export async function chooseBest(ask: BestAvailableConfig, wants: BestWants): Promise<BestResult> {
  const request = readRequest(ask, wants);
  const { session, selection, scene } = wants;
  if (!session.active && session.wanted && !(await session.reopen()))
    throw new CallFailed(0, 'NETWORK');
  const isHeld = session.active && !wants.client.isGroup;
  const found = isHeld ? await hold(request, wants) : await find(request, wants);
  const chosen = found.chosen
    .map(({ objectId, quantity, ticketType }): Want => ({
      place: scene.byLabel.get(objectId) ?? -1,
      type: ticketType ?? '',
      count: quantity,
    }))
    .filter(({ place }) => place >= 0);
  if (isHeld) selection.adoptHeld(found.chosen, found.statuses);
  else if (!(await selection.take(chosen, { together: true }))) throw new NothingFound(words.taken);
  return {
    places: [...new Set(chosen.map(({ place }) => place))],
    nextToEachOther: found.nextToEachOther,
  };
}

type Found = Omit<BestAvailableAnswer, 'objects'>;

async function hold(request: BestAvailableRequest, { session }: BestWants): Promise<Found> {
  const sent = await session.holdBest(request);
  if (sent.ok) return sent.answer;
  if (sent.reason === 'taken') throw new NothingFound(words.takenArea);
  if (sent.reason === 'crowded') throw new NothingFound(words.crowded);
  throw new CallFailed(0, 'NETWORK');
}

async function find(request: BestAvailableRequest, { client }: BestWants): Promise<Found> {
  return client.bestAvailable(request).catch((error: unknown) => {
    throw error instanceof CallFailed && error.status === 400
      ? new NothingFound(words.takenArea)
      : error;
  });
}

function readRequest(ask: BestAvailableConfig, wants: BestWants): BestAvailableRequest {
  const types = Object.entries(ask.ticketTypes ?? {}).flatMap(([type, count]) =>
    Array.from({ length: Math.max(0, Math.trunc(count)) }, () => type),
  );
  const number = types.length > 0 ? types.length : (ask.number ?? 0);
  if (!Number.isInteger(number) || number < 1)
    throw new Error('number or ticketTypes must be given');
  const categories = openCategories(ask.categories, wants);
  if (wants.config().mode !== undefined && wants.config().mode !== 'normal')
    throw new Error('The chart is only to be looked at');
  if (wants.selection.room < number)
    throw new Error(words.tooMany(wants.selection.room + wants.selection.placeCount));
  const only = types.length === 0 ? onlyType(categories, wants) : undefined;
  if (only !== undefined) types.push(...Array.from({ length: number }, () => only));
  return {
    number,
    categories,
    zone: ask.zone,
    sections: ask.sections,
    accessibleSeats: ask.accessibleSeats,
    people: ask.people,
    ticketTypes: types.length > 0 ? types : undefined,
    except: wants.selection.all
      .filter((i) => !wants.selection.isHeld(i))
      .map((i) => placeLabel(wants.scene, i)),
  };
}

/** The categories that the page offers, or the requested ones among them; undefined for all. */
function openCategories(
  asked: CategoryName[] | undefined,
  { scene, config }: BestWants,
): string[] | undefined {
  const { availableCategories, unavailableCategories, objectWithoutPricingSelectable, pricing } =
    config();
  if (
    !asked &&
    !availableCategories &&
    !unavailableCategories?.length &&
    objectWithoutPricingSelectable !== false
  )
    return undefined;
  const prices = Array.isArray(pricing) ? pricing : (pricing?.prices ?? []);
  const isNamed = (list: readonly CategoryName[], category: { key: string; label: string }) =>
    list.some((name) => isCategory(name, category));
  return scene.chart.categories
    .filter(
      (category) =>
        (!asked || isNamed(asked, category)) &&
        (!availableCategories || isNamed(availableCategories, category)) &&
        !isNamed(unavailableCategories ?? [], category) &&
        (objectWithoutPricingSelectable !== false ||
          prices.some(
            (entry) => entry.category !== undefined && isCategory(entry.category, category),
          )),
    )
    .map(({ key }) => key);
}

/** The ticket type when there is only one. */
function onlyType(
  categories: string[] | undefined,
  { scene, selection }: BestWants,
): string | undefined {
  const types = new Set<string>();
  scene.chart.categories.forEach(({ key }, category) => {
    if (categories && !categories.includes(key)) return;
    const place = scene.category.indexOf(category);
    const [first] = place < 0 ? [] : selection.offers(place);
    types.add(first?.ticketType ?? '');
  });
  const [type] = types;
  return types.size === 1 && type ? type : undefined;
}
