/** The theatre's name, logo and colour, stored so that they show without a connection. */
import { readMeta, writeMeta, type House, type ScannerDb } from '#apps/scanner/kit/store.ts';
import { readSite } from '#server/contract/site.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';

const pictureMs = 15_000;
/** The server has several widths and formats; all supported browsers can draw this one. */
const fileOf = (logo: string) => `${logo}/320.webp`;

/** Asks the server whose scanner this is, before the pairing. */
export async function askHouse(phone: Phone): Promise<void> {
  const { name, logo, accent } = await phone.ports.call(readSite, {}, {});
  await takeHouse(phone, { name, logo: logo?.url ?? null, accent });
}

/**
 * Stores what the server says; the answer of an older server, or of a captive portal in its
 * place, has no name and is ignored.
 */
export async function takeHouse(phone: Phone, house: House | undefined): Promise<void> {
  if (typeof house?.name !== 'string') return;
  const { db } = phone;
  const { name, logo, accent } = house;
  const next: House = { name, logo, accent };
  const before = await readMeta(db, 'house');
  if (JSON.stringify(before) !== JSON.stringify(next)) await writeMeta(db, 'house', next);
  // Not awaited: scanning does not need the logo, and the next contact asks for a missing one.
  void keepLogo(phone, logo).catch(() => {});
}

async function keepLogo({ db, ports }: Phone, logo: string | null): Promise<void> {
  const kept = await readMeta(db, 'logo');
  if ((kept?.url ?? null) === logo) return;
  if (logo === null) return db.meta.delete('logo');
  if (!ports.readPicture) return;
  const picture = await ports.readPicture(fileOf(logo), {
    signal: AbortSignal.timeout(pictureMs),
  });
  await writeMeta(db, 'logo', { url: logo, picture });
}

export interface ShownHouse {
  name: string;
  /** The picture as a data address. */
  logo: string | null;
  accent: House['accent'];
}

/** Null before the first contact. The logo of an earlier house is not shown beside a new name. */
export async function shownHouse(db: ScannerDb): Promise<ShownHouse | null> {
  const house = await readMeta(db, 'house');
  if (!house) return null;
  const { name, logo, accent } = house;
  const kept = await readMeta(db, 'logo');
  return { name, accent, logo: kept && kept.url === logo ? kept.picture : null };
}
