/** The two ways in which an outside service can fail us: it said no, or nobody knows what it did. */

/** A clear no: nothing happened there. `code` is the vendor's own. */
export class ProviderRefused extends Error {
  readonly code: string;

  constructor(vendor: string, code: string, message: string) {
    super(`${vendor}: ${code}: ${message}`);
    this.name = 'ProviderRefused';
    this.code = code;
  }
}

/** Timeout, broken connection, 5xx: it may have happened. Answered by reading, never by trying blindly again. */
export class ProviderSilent extends Error {
  constructor(vendor: string, message: string, cause: unknown) {
    super(`${vendor}: ${message}`, { cause });
    this.name = 'ProviderSilent';
  }
}
