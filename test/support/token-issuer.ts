import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWTPayload } from 'jose';

/** An issuer of JWTs with its key endpoint, on this host. Its name is its own, and need not be where its keys are. */
export class TokenIssuer {
  private constructor(
    private readonly server: Server,
    private readonly privateKey: CryptoKey,
    readonly issuer: string,
  ) {}

  static async start(issuer: string): Promise<TokenIssuer> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] });
    const server = createServer((_, response) => response.end(keys));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TokenIssuer(server, privateKey, issuer);
  }

  get jwksUri(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/keys`;
  }

  /** A token for a minute; the claims given replace the usual ones. */
  sign(claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: this.issuer, aud: 'palisade', sub: 'someone', iat: now, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(this.privateKey);
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}
