import { request, type Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Catch, Controller, Get, Module, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DomainError } from '@palisade/domain';
import type { Response } from 'express';
import {
  NamespaceAuthenticator,
  type NamespaceAuthenticatorOptions,
} from '../../src/namespace/namespace-authenticator.js';
import { CurrentNamespace, ForNamespace } from '../../src/namespace/namespace.decorators.js';
import { NamespaceGuard } from '../../src/namespace/namespace.guard.js';
import type { NamespaceIdentity } from '../../src/namespace/namespace-identity.js';
import type { Issued } from './certificate-authority.js';

@Controller()
class WhoController {
  @Get(['who', 'namespaces/:namespace/who'])
  @ForNamespace()
  who(@CurrentNamespace() identity: NamespaceIdentity): NamespaceIdentity {
    return identity;
  }
}

/** Answers what the apps' filters do. */
@Catch(DomainError)
class CodeFilter implements ExceptionFilter {
  catch(error: DomainError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const statuses: Record<string, number> = {
      UNAUTHENTICATED: 401,
      NAMESPACE_NOT_FOUND: 404,
      ISSUER_UNAVAILABLE: 503,
    };
    if ('challenge' in error && typeof error.challenge === 'string') {
      response.setHeader('WWW-Authenticate', error.challenge);
    }
    const reason = 'reason' in error ? error.reason : undefined;
    response.status(statuses[error.code] ?? 400).json({ code: error.code, reason });
  }
}

export interface Question {
  readonly path?: string;
  /** Names may be repeated. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly certificate?: Issued;
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly body: Partial<NamespaceIdentity> & { readonly code?: string; readonly reason?: string };
  readonly challenge: string | undefined;
  /** Whether the connection resumed an earlier TLS session. */
  readonly isResumed: boolean;
}

export interface ServerTls {
  readonly identity: Issued;
  /** The certificate of the authority that issues those of clients. */
  readonly ca: string;
}

/** A server that ends TLS itself, asks for client certificates and says who somebody is. */
export class NamespaceApp {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly tls: ServerTls,
  ) {}

  static async create(tls: ServerTls, options: NamespaceAuthenticatorOptions): Promise<NamespaceApp> {
    const authenticator = new NamespaceAuthenticator(options);
    @Module({
      controllers: [WhoController],
      providers: [
        { provide: NamespaceAuthenticator, useValue: authenticator },
        { provide: APP_GUARD, useClass: NamespaceGuard },
        { provide: APP_FILTER, useClass: CodeFilter },
      ],
    })
    class AppModule {}
    const httpsOptions = { ...tls.identity, ca: tls.ca, requestCert: true, rejectUnauthorized: false };
    const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false, httpsOptions });
    await app.listen(0, '127.0.0.1');
    return new NamespaceApp(app, tls);
  }

  async ask({ path = '/who', headers = [], certificate, agent }: Question = {}): Promise<Answer> {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = { host: '127.0.0.1', port, path, ca: this.tls.ca, agent: agent ?? false, ...certificate };
    // Given as a list, headers may be repeated; but then none is added.
    let isResumed = false;
    const asked = request({ ...options, headers: ['Host', 'localhost', ...headers.flat()] }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = (text === '' ? {} : JSON.parse(text)) as Answer['body'];
        const challenge = response.headers['www-authenticate'];
        resolve({ status: response.statusCode ?? 0, body, challenge, isResumed });
      });
    });
    asked.on('socket', (socket) => {
      socket.once('secureConnect', () => (isResumed = socket instanceof TLSSocket && socket.isSessionReused()));
    });
    asked.on('error', reject).end();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
  }
}
