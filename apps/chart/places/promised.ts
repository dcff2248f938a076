/**
 * The texts that a page's functions promise, as the vendor's wrappers for phones do: each input is
 * asked once, and its text is used when it comes.
 */

/** What a function has promised; the texts belong to one value of the page's `extraConfig`. */
interface Kept {
  extra: unknown;
  /** Null while a text has not come, and for ever if it was refused. */
  texts: Map<string, string | null>;
}

interface Question {
  ask: () => unknown;
  /** Tells this input from the others of the function; made only if that makes promises. */
  input: () => string;
  extra?: unknown;
}

/** More than the places that a visitor points at; the oldest text is forgotten first. */
const most = 1000;

/** A text of the page's, or null for what is none. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

export class Promised {
  readonly #kept = new WeakMap<object, Kept>();
  readonly #come: () => void;

  /** `come` is called after each text that has come. */
  constructor(come: () => void) {
    this.#come = come;
  }

  /** The text of a page's function, or null as long as there is none. @throws what `ask` throws */
  textOf(page: object, { ask, input, extra }: Question): string | null {
    let kept = this.#kept.get(page);
    if (kept && kept.extra !== extra) kept = undefined;
    const known = kept?.texts.get(input());
    if (known !== undefined) return known;
    const answer = ask();
    if (!isPromise(answer)) return textOrNull(answer);
    kept ??= { extra, texts: new Map() };
    this.#kept.set(page, kept);
    this.#await(answer, kept.texts, input());
    return null;
  }

  #await(answer: PromiseLike<unknown>, texts: Kept['texts'], input: string): void {
    texts.set(input, null);
    const [oldest = input] = texts.keys();
    if (texts.size > most) texts.delete(oldest);
    Promise.resolve(answer).then(
      (value) => {
        texts.set(input, textOrNull(value));
        this.#come();
      },
      (error: unknown) => reportError(error),
    );
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
