/** From pages in columns, or a list and what came after it, to one list that lies ready (server/domain/door-block.ts): the heavy part, done by a worker where there is one. */
import { openBlock, TornPage } from '#server/domain/door-block.ts';
import { finish, writeBlock } from '#server/domain/door-block-write.ts';
import {
  packAdmissions,
  packPlaces,
  readAdmissions,
  type ListedAdmission,
  type ListedPlace,
} from '#server/domain/door-list.ts';
import type { DoorHead, DoorPage } from '#server/contract/door-list.ts';
import { utf8Decoder } from '#server/domain/utf8.ts';
import { hashesOfRow, placeOf, scansOfRow } from './image.ts';
import { parseJson, readBlockAnswer, readPage } from './page.ts';
import { sealPart, type PartName } from './seal.ts';
import type { StoredPart } from './store.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** The list as it lay before, or pages of one that came in several, the first perhaps a block; each page as the bytes of the answer. */
export interface BuildAsk {
  base: Bytes | null;
  pages: ArrayBuffer[];
  /** A list that is whole is also sealed, under this name. */ seal?: {
    key: CryptoKey;
    name: PartName;
  };
}
/** `head` is of the last page; `image` is null while more pages are to come, then `places` counts only those of the page. */
export interface Built {
  head: DoorHead;
  image: Bytes | null;
  places: number;
}
export interface BuiltAndSealed extends Built {
  sealed: StoredPart | null;
}

/** @throws TornPage */
export async function buildAndSeal(ask: BuildAsk): Promise<BuiltAndSealed> {
  const built = buildList(ask);
  return {
    ...built,
    sealed:
      built.image && ask.seal ? await sealPart(ask.seal.key, ask.seal.name, built.image) : null,
  };
}

/** @throws TornPage when an answer is none of ours */
export function buildList({ base, pages }: BuildAsk): Built {
  const first = pages[0] ? readBlockAnswer(pages[0]) : null;
  const read = (first ? pages.slice(1) : pages).map((bytes) =>
    readPage(parseJson(utf8Decoder.decode(new Uint8Array(bytes)))),
  );
  const { places, head } = lastOf(first, read);
  if (head.more && base === null)
    return { head, image: null, places: places?.issued.length ?? openBlock(first!.block).count };
  const image = joinPages(base ?? first?.block ?? null, read);
  return { head, image, places: openBlock(image).count };
}

function lastOf(
  first: { head: DoorHead } | null,
  read: readonly DoorPage[],
): { head: DoorHead; places: DoorPage['places'] | null } {
  const last = read.at(-1);
  if (!last && !first) throw new TornPage('No page');
  if (!last) return { head: first!.head, places: null };
  const { places, admissions: _, ...head } = last;
  return { head, places };
}

/** What comes later stands in the place of what came before. */
function joinPages(base: Bytes | null, pages: readonly DoorPage[]): Bytes {
  if (base !== null && pages.length === 0) return base;
  if (base === null && pages.length === 1)
    return finish(writeBlock(pages[0]!.places, pages[0]!.admissions));
  const places = new Map<string, ListedPlace>();
  const admissions = new Map<string, ListedAdmission>();
  let names = false;
  if (base) {
    const block = openBlock(base);
    names = block.named;
    for (let row = 0; row < block.count; row += 1) {
      const place = placeOf(block, row);
      places.set(place.place, { ...place, hashes: hashesOfRow(block, row) });
      for (const scan of scansOfRow(block, row)) admissions.set(scan.admission_id, scan);
    }
  }
  for (const page of pages) {
    names ||= page.places.name !== null;
    for (const place of placesOf(page)) places.set(place.place, place);
    for (const scan of readAdmissions(page.admissions)) admissions.set(scan.admission_id, scan);
  }
  return finish(
    writeBlock(
      packPlaces([...places.values()], { names, sealed: true }),
      packAdmissions([...admissions.values()]),
    ),
  );
}

/** A page's places as objects, with their hashes. */
export function placesOf({ places }: DoorPage): ListedPlace[] {
  const block = openBlock(finish(writeBlock(places, packAdmissions([]))));
  return Array.from({ length: block.count }, (_, row) => ({
    ...placeOf(block, row),
    hashes: hashesOfRow(block, row),
  }));
}
