const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes in JSON: as text when they are UTF-8, else in base64. */
export type WireData = { readonly text: string } | { readonly base64: string };

export function toWireData(bytes: Uint8Array): WireData {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}
