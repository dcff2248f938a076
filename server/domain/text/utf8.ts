/** Encodes and decodes UTF-8 with the platform’s own coders. */
declare const TextEncoder: new () => { encode: (text: string) => Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  label: 'utf-8',
  options: { ignoreBOM: boolean },
) => { decode: (bytes: Uint8Array) => string };

export const utf8Encoder = new TextEncoder();
/** A byte order mark at the beginning of a text stays. */
export const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });
