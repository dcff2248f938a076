/** Findings about a drawing for a theatre's technician: the place and the fault, in Italian. */

export interface Finding {
  /** A drawing with an error is refused; a warning should be looked at. */
  severity: 'error' | 'warning';
  /** For example `Settore Platea, fila C`; `Pianta` for the whole drawing. */
  where: string;
  /** A sentence without its full stop. */
  message: string;
}

/** An object of a drawing and its seats; without seats the whole object is meant. */
export interface Mark {
  raw: object;
  seats?: readonly number[];
}

type Tell = (where: string, message: string, marks?: readonly Mark[]) => void;

export interface Report {
  error: Tell;
  warn: Tell;
  findings: Finding[];
  /** The marks of findings that have some. */
  marks: Map<Finding, readonly Mark[]>;
}

export function openReport(): Report {
  const findings: Finding[] = [];
  const marked = new Map<Finding, readonly Mark[]>();
  const tell =
    (severity: Finding['severity']): Tell =>
    (where, message, marks) => {
      const finding = {
        severity,
        where: where.charAt(0).toUpperCase() + where.slice(1),
        message,
      };
      findings.push(finding);
      if (marks) marked.set(finding, marks);
    };
  return { error: tell('error'), warn: tell('warning'), findings, marks: marked };
}

const SHOWN = 4;

/**
 * Joins names: `«1», «2» e «3»`; after four names `e altri 7`, or `e altre 7` for feminine nouns.
 */
export function quote(names: readonly string[], others: 'altri' | 'altre' = 'altri'): string {
  const quoted = names.slice(0, SHOWN).map((name) => `«${name}»`);
  const rest = names.length - quoted.length;
  if (rest > 0)
    return `${quoted.join(', ')} e ${rest === 1 ? { altri: 'un altro', altre: 'un’altra' }[others] : `${others} ${rest}`}`;
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} e ${quoted.at(-1)}`;
}

const NUMBERS = [
  'zero',
  'un',
  'due',
  'tre',
  'quattro',
  'cinque',
  'sei',
  'sette',
  'otto',
  'nove',
  'dieci',
];

/** A number with its noun: `un posto`, `due posti`, `12 posti`. */
export function count(number: number, [one, many]: readonly [one: string, many: string]): string {
  return `${NUMBERS[number] ?? number} ${number === 1 ? one : many}`;
}

export const SEATS = ['posto', 'posti'] as const;

/** True without errors; a chart server accepts drawings with warnings. */
export function isUsable(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

/** One line: `Errore — Settore Platea, fila C: due posti si chiamano «12».` */
export function printFinding({ severity, where, message }: Finding): string {
  return `${severity === 'error' ? 'Errore' : 'Avviso'} — ${where}: ${message}.`;
}
