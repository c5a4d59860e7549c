import type { FetchImplementation } from 'jose';

const MAX_KEY_SET_BYTES = 256 * 1024;

/** `fetch` that gives up on bodies over 256 KiB. Redirects are left to the caller's options (jose follows none). */
export const fetchBounded: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let totalBytes = 0;
  for await (const chunk of response.body ?? []) {
    totalBytes += chunk.byteLength;
    if (totalBytes > MAX_KEY_SET_BYTES) {
      throw new RangeError(`the key set at ${url} is larger than ${MAX_KEY_SET_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers });
};
