/** Asks the browser for a passkey; the library is fetched on first use. */
type Options = Record<string, unknown>;

/** False: this browser or address does not support passkeys. */
export function knowsPasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window;
}

export async function makePasskey(options: unknown): Promise<Options> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return asked(() => startRegistration({ optionsJSON: options as never }));
}

export async function proveByPasskey(options: unknown): Promise<Options> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return asked(() => startAuthentication({ optionsJSON: options as never }));
}

/** A closed browser window throws an English error; ours is Italian. */
async function asked(question: () => Promise<unknown>): Promise<Options> {
  try {
    return (await question()) as Options;
  } catch (error) {
    throw new PasskeyStopped(error);
  }
}

export class PasskeyStopped extends Error {
  constructor(cause: unknown) {
    super('Il browser non ha dato nessuna passkey. Riprova, o usa un altro modo.', { cause });
    this.name = 'PasskeyStopped';
  }
}
