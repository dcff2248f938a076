/**
 * What a buyer must know about a place before paying: it has no number, part of the stage is out
 * of sight, it is a wheelchair's place or beside one, the ticket needs a name.
 */
import type { PlaceKind } from './seat-name.ts';

const placeTraits = ['restricted_view', 'unnumbered', 'whole', 'accessible', 'companion'] as const;
export type PlaceTrait = (typeof placeTraits)[number];
/** `nominative` is about the event, the others are about a place. */
export const noticeKinds = ['nominative', ...placeTraits] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/**
 * `hall` is above the seat map, `chosen` beside the button that pays, `tag` after the name of a
 * place, `ticket` on the ticket and in the mail.
 */
interface Notice {
  about: NoticeKind;
  hall: string;
  chosen: string;
  tag: string | null;
  ticket: string | null;
}

interface PlaceFacts {
  kind: PlaceKind;
  restricted_view: boolean;
  accessible: boolean;
  companion: boolean;
  /** The object is sold whole. */ whole?: boolean;
}

export function traitsOf(place: PlaceFacts): PlaceTrait[] {
  const has: Record<PlaceTrait, boolean> = {
    restricted_view: place.restricted_view,
    unnumbered: place.kind === 'area' && place.whole !== true,
    whole: place.whole === true,
    accessible: place.accessible,
    companion: place.companion,
  };
  return placeTraits.filter((trait) => has[trait]);
}

const names =
  'Biglietti nominativi: dopo il pagamento indichi nome e cognome di chi entra, e all’ingresso si chiede un documento d’identità.';

const notices: Record<NoticeKind, Omit<Notice, 'about'>> = {
  nominative: { hall: names, chosen: names, tag: null, ticket: null },
  restricted_view: {
    hall: 'Alcuni posti hanno visibilità limitata: da lì una parte del palco non si vede.',
    chosen: 'Hai scelto posti con visibilità limitata: da lì una parte del palco non si vede.',
    tag: 'visibilità limitata',
    ticket: 'visibilità limitata',
  },
  unnumbered: {
    hall: 'Alcuni settori sono a posto unico: i posti non sono numerati.',
    chosen: 'Posto unico: il biglietto non ha un numero, nel settore ti metti dove c’è posto.',
    // The name of the place already says "posto unico".
    tag: null,
    ticket: null,
  },
  whole: {
    hall: 'Alcuni tavoli, séparé o zone si comprano interi: la pianta dice quanti posti hanno e se il prezzo è a posto o per tutti.',
    chosen:
      'Ogni posto ha il suo biglietto con il suo codice. Chi manca non libera posti: quelli che non usi restano chiusi.',
    // The name of the object already says "intero".
    tag: null,
    ticket: null,
  },
  accessible: {
    hall: 'Ci sono posti per persone in carrozzina, ognuno con accanto quello per chi accompagna.',
    chosen: 'Posto per persona in carrozzina: porta con te la certificazione.',
    tag: 'posto per carrozzina',
    ticket: 'posto per carrozzina: porta con te la certificazione',
  },
  companion: {
    hall: 'I posti per chi accompagna si scelgono insieme a quelli per carrozzina.',
    chosen: 'Posto per chi accompagna: vale insieme al posto per carrozzina accanto.',
    tag: 'posto per chi accompagna',
    ticket: 'posto per chi accompagna: vale insieme al posto per carrozzina accanto',
  },
};

interface StoredPlace {
  kind: PlaceKind;
  restricted_view: 0 | 1;
  accessible: 0 | 1;
  companion: 0 | 1;
}

/** What is special about a stored place, in words for its ticket. */
export function remarksOf(place: StoredPlace): string[] {
  return storedTraits(place).flatMap((trait) => notices[trait].ticket ?? []);
}

/** The same in the few words that stand beside the place's name. */
export function tagsOf(place: StoredPlace): string[] {
  return storedTraits(place).flatMap((trait) => notices[trait].tag ?? []);
}

function storedTraits(place: StoredPlace): PlaceTrait[] {
  return traitsOf({
    kind: place.kind,
    restricted_view: place.restricted_view === 1,
    accessible: place.accessible === 1,
    companion: place.companion === 1,
  });
}

/**
 * The sentence above the seat map; the server checks the limit once an order is paid (RULES S3).
 */
export function addressNotice(max_per_email: number) {
  const many = max_per_email === 1 ? 'un biglietto' : `${max_per_email} biglietti`;
  const words = `Al massimo ${many} per indirizzo e-mail, contando tutti i tuoi ordini.`;
  return { about: 'per_email', hall: words, chosen: words, tag: null, ticket: null } as const;
}

/** Notices in the order in which they are shown. */
export function noticesAbout(kinds: ReadonlySet<NoticeKind>): Notice[] {
  return noticeKinds
    .filter((about) => kinds.has(about))
    .map((about) => ({ about, ...notices[about] }));
}
