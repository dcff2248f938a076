/** From what the server said to a list that lies ready (list-image.ts): the heavy part, done by a worker where there is one. */
import { packAdmissions, packPlaces, readAdmissions, type ListedAdmission, type ListedPlace } from '#server/domain/door-list.ts';
import type { DoorPage } from '#server/contract/door-list.ts';
import { hashesOfRow, openImage, placeOf, scansOfRow, TornPage } from './list-image.ts';
import { buildImage } from './list-write.ts';
import { readPage } from './page.ts';
import { sealPart, type PartName } from './seal.ts';
import type { StoredPart } from './store.ts';

/** All that a page says beside its list. */
export type PageHead = Omit<DoorPage, 'places' | 'admissions'>;
/** The list as it lay before, or pages of one that came in several; each page as the bytes of the answer. */
export interface BuildAsk { base: ArrayBuffer | null; pages: ArrayBuffer[]; /** A list that is whole is also sealed, under this name. */ seal?: { key: CryptoKey; name: PartName } }
/** `head` is of the last page; `image` is null while more pages are to come, then `places` counts only those of the page. */
export interface Built { head: PageHead; image: ArrayBuffer | null; places: number }
export interface BuiltAndSealed extends Built { sealed: StoredPart | null }

/** @throws TornPage */
export async function buildAndSeal(ask: BuildAsk): Promise<BuiltAndSealed> {
  const built = buildList(ask);
  return { ...built, sealed: built.image && ask.seal ? await sealPart(ask.seal.key, ask.seal.name, built.image) : null };
}

/** @throws TornPage when an answer is none of ours */
export function buildList({ base, pages }: BuildAsk): Built {
  const read = pages.map((bytes) => readPage(parseJson(bytes)));
  const last = read.at(-1);
  if (!last) throw new TornPage('No page');
  const { places, admissions, ...head } = last;
  if (head.more && base === null) return { head, image: null, places: places.issued.length };
  if (base === null && read.length === 1) return { head, image: buildImage(places, admissions), places: places.issued.length };
  const joined = joinPages(base, read);
  return { head, image: joined, places: openImage(joined).count };
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new TornPage('Not JSON', { cause: error });
  }
}

/** What comes later stands in the place of what came before. */
function joinPages(base: ArrayBuffer | null, pages: readonly DoorPage[]): ArrayBuffer {
  const places = new Map<string, ListedPlace>();
  const admissions = new Map<string, ListedAdmission>();
  let names = false;
  if (base) {
    const image = openImage(base);
    names = image.named;
    for (let row = 0; row < image.count; row += 1) {
      const place = placeOf(image, row);
      places.set(place.place, { ...place, hashes: hashesOfRow(image, row) });
      for (const scan of scansOfRow(image, row)) admissions.set(scan.admission_id, scan);
    }
  }
  for (const page of pages) {
    names ||= page.places.name !== null;
    for (const place of placesOf(page)) places.set(place.place, place);
    for (const scan of readAdmissions(page.admissions)) admissions.set(scan.admission_id, scan);
  }
  return buildImage(packPlaces([...places.values()], { names, sealed: true }), packAdmissions([...admissions.values()]));
}

/** A page's places as objects, with their hashes. */
export function placesOf({ places }: DoorPage): ListedPlace[] {
  const image = openImage(buildImage(places, packAdmissions([])));
  return Array.from({ length: image.count }, (_, row) => ({ ...placeOf(image, row), hashes: hashesOfRow(image, row) }));
}

