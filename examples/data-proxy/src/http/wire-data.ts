const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as JSON: as text if they are UTF-8, otherwise in base64. */
export type WireData = { readonly text: string } | { readonly base64: string };

export function toWireData(bytes: Uint8Array): WireData {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}
