import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** An external issuer of tokens that a provider can trust; publishes its keys on the loopback interface. */
export class TokenIssuer {
  private constructor(
    private readonly server: Server,
    private readonly privateKey: CryptoKey,
    readonly jwksUri: string,
  ) {}

  static async start(): Promise<TokenIssuer> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const key: JWK = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: '1' };
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: [key] }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    return new TokenIssuer(server, privateKey, `http://127.0.0.1:${port}/keys`);
  }

  /** A token of an hour, unless the claims say otherwise. */
  sign(claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iat: now, exp: now + 3600, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .sign(this.privateKey);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}
