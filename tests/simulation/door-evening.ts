/** What an evening at the door consists of: phones, what was seen on them, papers and people. */
import type { Server } from 'node:http';
import type { Core } from '#apps/scanner/scan/core.ts';
import type { OpenProduct } from '#server/open.ts';
import type { Evening } from './door-history.ts';
import type { Life } from './door-life.ts';
import type { Line } from './door-line.ts';
import type { Locks } from './door-locks.ts';

/** A tab: one life of the app and its objects. */
export interface Tab {
  life: Life;
  core: Core;
}

interface Revocation {
  /** The time on the server's clock. */
  at: number;
  /**
   * Ids of the phone's scans that had arrived by then, because the simulated clock may stand
   * still and the time alone does not tell.
   */
  arrived: ReadonlySet<string>;
}

export interface PhoneInPlay {
  name: string;
  phone_id: string;
  storage: IDBFactory;
  locks: Locks;
  tabs: Tab[];
  /** All lives that were ever started on this phone. */
  lives: Life[];
  hasSignal: boolean;
  /** The offset of its clock from the server's, in ms. */
  skew: number;
  hadTwoTabs: boolean;
  /** Its clock was changed during the evening. */
  wasSet: boolean;
  revoked: Revocation | null;
  /** Scans were forged with its token. */
  hasForged: boolean;
  /** Its storage was lost at least once. */
  evicted: boolean;
  /** Its app speaks the wire of the release before. */
  older: boolean;
}

/** A scan whose verdict the doorman has seen. */
export interface Seen {
  admission_id: string;
  phone: PhoneInPlay;
  place: string | null;
  revision: number | null;
  direction: 'in' | 'out';
  verdict: string;
  counts: boolean;
  overridden: boolean;
  /** The id of the scan that this one undoes. */
  annuls: string | null;
  /** It was lost with the phone's storage, or this simulation spoiled it. */
  lost: boolean;
  poisoned: boolean;
  /**
   * The true time; null if the phone could not know it, because its clock was changed after its
   * last contact.
   */
  true_at: number | null;
}

/** Why a code is no longer that of its ticket. */
export type Why = 'moved' | 'renamed' | 'reissued';

/** A code that was given out; `next`: the code that its ticket got instead. */
export interface Paper {
  ticket_id: string;
  end: { why: Why; next: string } | null;
}

/** A count that a doorman made; `unsure`: the phone died or could not keep it, perhaps too late. */
export interface Heads {
  id: string;
  phone: PhoneInPlay;
  /** Less than 0: out. */
  people: number;
  unsure: boolean;
  /** It went with the phone's storage, or the phone was revoked before it was sent. */
  lost: boolean;
  undo: Pick<Heads, 'id' | 'phone' | 'unsure' | 'lost'> | null;
}

export interface World {
  house: OpenProduct;
  server: Server;
  event_id: string;
  line: Line;
  phones: PhoneInPlay[];
  evening: Evening;
  now: () => number;
  /** Time passes and timers fire; `leap`: in one step, as on a phone that slept. */
  pass: (ms: number, leap?: boolean) => Promise<void>;
  openTab: (phone: PhoneInPlay) => Promise<Tab>;
  kill: (phone: PhoneInPlay) => void;
  pair: (phone: PhoneInPlay, token: string) => Promise<void>;
  newPhone: (name: string, app?: { older: boolean }) => Promise<PhoneInPlay>;
  seen: Seen[];
  /**
   * Places where an exit or an undo may have happened unseen: at the desk, or on a phone that
   * died at that moment.
   */
  loose: Set<string>;
  /** Every code that was given out, as place and revision. */
  papers: Map<string, Paper>;
  heads: Heads[];
  /** Ids of forged scans. */
  forged: Set<string>;
  tell: (what: string) => void;
  wrong: (what: string) => void;
  count: (what: string) => void;
  problems: string[];
  story: string[];
  figures: Record<string, number>;
  streams: { life: Life; send: (text: string) => void; end: () => void }[];
  close: () => Promise<void>;
}
