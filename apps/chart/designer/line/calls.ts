/**
 * The designer's calls to the chart server; when the key has expired, it is renewed and the call
 * repeated.
 */
import type { DesignerConfig } from '#apps/chart/designer/config.ts';

/** `status` 0: no answer came. `data`: the body of the refusal. */
export class CallRefused extends Error {
  readonly status: number;
  readonly code: string;
  readonly data: unknown;

  constructor(status: number, code: string, data?: unknown) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

interface Ask {
  method?: 'GET' | 'POST';
  /** Relative to the server's folder. */
  path: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  /** Sent even while the page is being closed. */
  keepalive?: boolean;
}

const longestWait = 60_000;

export class Calls {
  readonly #server: string;
  readonly #config: () => DesignerConfig;
  #renewed: string | null = null;
  #renewing: Promise<string> | null = null;

  constructor(server: string, config: () => DesignerConfig) {
    this.#server = server;
    this.#config = config;
  }

  /** @throws CallRefused */
  async ask(wanted: Ask): Promise<Response> {
    const key = this.#renewed ?? this.#config().secretKey ?? '';
    const first = await this.#send(wanted, key);
    const answer =
      first.status === 401 ? await this.#askAgain(wanted, { refused: first, key }) : first;
    if (answer.ok) return answer;
    throw await refusalOf(answer);
  }

  /** @throws CallRefused */
  async askJson<T>(wanted: Ask): Promise<T> {
    const answer = await this.ask(wanted);
    return (await answer.json()) as T;
  }

  async #askAgain(
    wanted: Ask,
    { refused, key }: { refused: Response; key: string },
  ): Promise<Response> {
    // Another call may have renewed the key while this one was running.
    if (this.#renewed !== null && this.#renewed !== key) return this.#send(wanted, this.#renewed);
    const { renewKey } = this.#config();
    if (!renewKey) return refused;
    this.#renewing ??= renewKey().finally(() => {
      this.#renewing = null;
    });
    try {
      this.#renewed = await this.#renewing;
    } catch {
      return refused;
    }
    return this.#send(wanted, this.#renewed);
  }

  async #send({ method = 'GET', path, headers, body, keepalive }: Ask, key: string) {
    try {
      return await fetch(this.#server + path, {
        method,
        headers: { Authorization: `Basic ${btoa(`${key}:`)}`, ...headers },
        body,
        keepalive,
        cache: 'no-store',
        credentials: 'omit',
        signal: AbortSignal.timeout(longestWait),
      });
    } catch {
      throw new CallRefused(0, 'NETWORK');
    }
  }
}

async function refusalOf(answer: Response): Promise<CallRefused> {
  const body = (await answer.json().catch(() => null)) as {
    errors?: { code?: string; data?: unknown }[];
  } | null;
  const first = body?.errors?.[0];
  return new CallRefused(answer.status, first?.code ?? 'UNKNOWN', first?.data);
}
