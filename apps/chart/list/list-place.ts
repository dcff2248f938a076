/**
 * How a place is shown in the list: its name for screen readers, its visible number, price,
 * remarks and state.
 */
import { make } from '#apps/chart/page/dom.ts';
import {
  categoryBeside,
  extentOf,
  flagsOf,
  nameOf,
  type ObjectSource,
  priceRange,
  rowName,
  shortNameOf,
  statusWord,
} from '#apps/chart/places/objects.ts';
import { FREE, MINE } from '#apps/chart/places/places.ts';
import type { Offer } from '#apps/chart/places/pricing.ts';
import {
  BOOTH,
  rowOf,
  SEAT,
  placesInOne,
  sectionOf,
  shownName,
  wireCategoryOf,
} from '#apps/chart/scene/scene.ts';
import { translate, upper, words } from '#apps/chart/words.ts';

interface LabelWants {
  source: ObjectSource;
  /** The page's own text about a place. */ info: (i: number) => HTMLElement[];
}

/** Writes name, state and colour of a place on its button. */
export function labelButton(
  button: HTMLButtonElement,
  i: number,
  { source, info }: LabelWants,
): void {
  const { places, scene } = source;
  const state = places.state[i];
  const isCounted = scene.counted[i] === 1;
  const price = priceRange(source.prices().offersAt(i));
  const status = statusIn(i, source);
  const remarks = flagsOf(scene, i).join(', ');
  if (scene.kind[i] === SEAT) {
    // Number and remarks are read aloud in the visible order, because voice control uses the
    // visible words.
    button.setAttribute(
      'aria-label',
      [...nameForEar(i, source, remarks), price, status].filter(Boolean).join(', '),
    );
    button.replaceChildren(
      shownName(scene, i),
      ...(remarks ? [' ', make('small', {}, remarks)] : []),
    );
  } else {
    button.replaceChildren(
      nameInSection(i, source),
      ' ',
      make('small', {}, [extentOf(scene, i), status, price, remarks].filter(Boolean).join(', ')),
      ' ',
      ...info(i),
    );
  }
  // A place that is chosen by number opens a dialog instead of toggling.
  if (isCounted) button.setAttribute('aria-haspopup', 'dialog');
  else button.setAttribute('aria-pressed', String(state === MINE));
  button.classList.toggle('bsc-chosen', state === MINE);
  button.setAttribute('aria-disabled', String(state !== FREE && state !== MINE));
  button.setAttribute('aria-busy', String(places.isPending(i)));
  button.classList.toggle('bsc-orphan', places.orphans.has(i));
  const color = wireCategoryOf(scene, i)?.color;
  if (color) button.style.setProperty('--bsc-tint', color);
}

function statusIn(i: number, { scene, places }: ObjectSource): string {
  const state = places.state[i];
  if (places.orphans.has(i)) return `${statusWord(places, i)}, ${words.leftAlone.toLowerCase()}`;
  if (scene.counted[i] === 1 && state === FREE) return words.free(places.freePlaces(i));
  if (scene.counted[i] === 1 && state === MINE) return words.chosen(places.chosen(i));
  return statusWord(places, i);
}

/** `Fila A, posto 14, Platea`: the seat comes first, the section last. */
function nameForEar(i: number, { scene }: ObjectSource, remarks: string): string[] {
  const section = sectionOf(scene, i);
  const where = section ? section.displayLabel || section.label : wireCategoryOf(scene, i)?.label;
  return [
    rowName(rowOf(scene, i)),
    words.seat(shownName(scene, i)),
    remarks,
    translate(where ?? ''),
    categoryBeside(scene, i),
  ];
}

/** The name of a booth, an area or a table under its section's heading. */
export function nameInSection(i: number, { scene }: ObjectSource): string {
  // A booth's own name is only a number, so its category is added.
  const isLooseBooth = scene.kind[i] === BOOTH && sectionOf(scene, i) === undefined;
  return upper(isLooseBooth ? nameOf(scene, i) : shortNameOf(scene, i));
}

/** `12 posti liberi, da 18,00 €, 2 scelti`; what is sold whole counts its places. */
export function tallyOf(offered: number[], { scene, places, prices }: ObjectSource): string {
  const list = prices();
  let free = 0;
  let chosen = 0;
  // Places of a category share one list of offers, so this loop is short in any hall.
  const offers = new Set<Offer[]>();
  for (const i of offered) {
    chosen += places.chosen(i);
    if (places.state[i] !== FREE && scene.counted[i] !== 1) continue;
    free += placesInOne(scene, i) * places.freePlaces(i);
    offers.add(list.offersAt(i));
  }
  return [words.free(free), priceRange([...offers].flat()), chosen > 0 ? words.chosen(chosen) : '']
    .filter(Boolean)
    .join(', ');
}
