/**
 * Requirements of Italian rules on public halls for rows, sectors and wheelchair places: values,
 * sources, and our confidence in them. They are never a certificate.
 */

type Confidence = 'sure' | 'secondhand';

export interface Rule {
  readonly id: string;
  /** The requirement in one sentence. */
  readonly text: string;
  readonly source: string;
  /** `secondhand`: we have not read it in the law itself. */
  readonly confidence: Confidence;
}

/**
 * The most seats of a row and rows of a sector, if the backs of two rows are at least this far
 * apart.
 */
interface RowLimit {
  readonly pitchCm: number;
  readonly seats: number;
  readonly rows: number;
}

export interface RuleSet {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** The strictest limit comes first. */
  readonly fixed: { readonly rule: Rule; readonly limits: readonly RowLimit[] } | null;
  readonly loose: { readonly rule: Rule; readonly seats: number; readonly rows: number } | null;
  readonly aisle: { readonly rule: Rule; readonly cm: number } | null;
  readonly wheelchairs: { readonly rule: Rule; readonly each: number; readonly per: number } | null;
}

const FIXED: Rule = {
  id: 'posti-fissi',
  text: 'Posti fissi: con file distanti almeno 80 cm, al massimo 16 posti per fila e 10 file per settore; con almeno 110 cm, 20 posti e 15 file',
  source: 'D.M. 19 agosto 1996, punto 3.1, dal riassunto di un produttore di poltrone',
  confidence: 'secondhand',
};
const LOOSE: Rule = {
  id: 'sedie-mobili',
  text: 'Sedie non fissate: unite tra loro, al massimo 10 per fila, in gruppi di al massimo 10 file',
  source: 'D.M. 6 marzo 2001',
  confidence: 'sure',
};
const AISLE: Rule = {
  id: 'corridoi',
  text: 'Corridoi larghi almeno 1,20 m',
  source: 'circolare del 1951; per il decreto del 1996 non verificato',
  confidence: 'secondhand',
};
const WHEELCHAIRS: Rule = {
  id: 'posti-accessibili',
  text: 'Almeno due posti per persone in sedia a rotelle ogni 400 posti o frazione',
  source: 'D.M. 236/1989, da un testo regionale in Gazzetta Ufficiale',
  confidence: 'secondhand',
};

const FULL: RuleSet = {
  id: 'dm-1996',
  name: 'D.M. 19 agosto 1996',
  about: 'La regola tecnica tradizionale dei locali di pubblico spettacolo.',
  fixed: {
    rule: FIXED,
    limits: [
      { pitchCm: 110, seats: 20, rows: 15 },
      { pitchCm: 80, seats: 16, rows: 10 },
    ],
  },
  loose: { rule: LOOSE, seats: 10, rows: 10 },
  aisle: { rule: AISLE, cm: 120 },
  wheelchairs: { rule: WHEELCHAIRS, each: 2, per: 400 },
};

export const RULE_SETS: readonly RuleSet[] = [
  FULL,
  {
    ...FULL,
    id: 'v15',
    name: 'Codice di prevenzione incendi, capitolo V.15',
    about:
      'Dal 1° gennaio 2023 può sostituire il decreto del 1996: file e corridoi li stabilisce il progetto, qui si guardano solo i posti accessibili.',
    fixed: null,
    loose: null,
    aisle: null,
  },
  {
    id: 'nessuna',
    name: 'Nessuna regola',
    about: 'Non si controlla niente.',
    fixed: null,
    loose: null,
    aisle: null,
    wheelchairs: null,
  },
];

/** The rules that the drawing names (`x_rules`), or else the decree of 1996. */
export function ruleSetOf(root: Readonly<Record<string, unknown>>): RuleSet {
  return RULE_SETS.find(({ id }) => id === root.x_rules) ?? FULL;
}
