/**
 * Texts from a page's functions that return promises, as the vendor's wrappers for phones do: a
 * function is called once for each input, and its text is shown when it arrives.
 */

/** What a function has returned; the texts belong to one value of the page's `extraConfig`. */
interface Kept {
  extra: unknown;
  /** Null while a text is pending, and for ever if its promise was rejected. */
  texts: Map<string, string | null>;
}

interface Question {
  ask: () => unknown;
  /** Identifies the input; computed only if the function returns a promise. */
  input: () => string;
  extra?: unknown;
}

/** More than the places that a visitor points at; the oldest text is forgotten first. */
const most = 1000;

/** The text if the value is one, else null. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

export class Promised {
  readonly #kept = new WeakMap<object, Kept>();
  readonly #come: () => void;

  /** `come` is called after each text that has arrived. */
  constructor(come: () => void) {
    this.#come = come;
  }

  /** The text of a page's function, or null while it is pending. @throws what `ask` throws */
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
