import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { SigningPurpose, Store } from '@palisade/domain';

export const SIGNING_ALGORITHM = 'ES256';

export interface SigningKeyPair {
  readonly privateKey: CryptoKey | Uint8Array;
  readonly publicKey: CryptoKey | Uint8Array;
  /** As published; has a `kid`. */
  readonly publicJwk: JWK;
}

/** A key that signs for one purpose: made once, kept in the store, the same in every replica. */
export class SigningKey {
  private loading: Promise<SigningKeyPair> | undefined;

  constructor(
    private readonly store: Store,
    private readonly purpose: SigningPurpose,
  ) {}

  async get(): Promise<SigningKeyPair> {
    this.loading ??= this.load();
    try {
      return await this.loading;
    } catch (error) {
      this.loading = undefined;
      throw error;
    }
  }

  private async load(): Promise<SigningKeyPair> {
    const stored = JSON.parse(await this.store.providers.getOrCreateSigningKey(this.purpose, proposeKey)) as JWK;
    const { kty, crv, x, y } = stored;
    const publicPart: JWK = { kty, crv, x, y };
    const publicJwk = {
      ...publicPart,
      alg: SIGNING_ALGORITHM,
      use: 'sig',
      kid: await calculateJwkThumbprint(publicPart),
    };
    return {
      privateKey: await importJWK(stored, SIGNING_ALGORITHM),
      publicKey: await importJWK(publicPart, SIGNING_ALGORITHM),
      publicJwk,
    };
  }
}

async function proposeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}
