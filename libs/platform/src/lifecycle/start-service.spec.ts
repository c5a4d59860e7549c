import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Provider } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ConfigurationError } from '../config/load-variables.js';
import { JsonLogger } from '../telemetry/json-logger.js';
import { startService } from './start-service.js';

class ExitError extends Error {}

async function createApp(providers: Provider[] = []): Promise<NestExpressApplication> {
  const module = await Test.createTestingModule({ providers }).compile();
  return module.createNestApplication<NestExpressApplication>({ logger: false });
}

function createLogger() {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  return { logger: new JsonLogger({ service: 'test', level: 'info', stream }), lines };
}

describe(startService.name, () => {
  const told: string[] = [];

  beforeEach(() => {
    told.length = 0;
    jest.spyOn(process, 'exit').mockImplementation(() => {
      throw new ExitError();
    });
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('logs warnings, then where it listens', async () => {
    const app = await createApp();
    const { logger, lines } = createLogger();
    const listen = { host: '127.0.0.1', port: 0 };
    await startService(async () => ({ app, listen, logger, warnings: ['SVC_X: ignored'] }));
    await app.close();
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'SVC_X: ignored' },
      { level: 'info', msg: expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/) },
    ]);
  });

  it('gives clients half a minute to send a request', async () => {
    const app = await createApp();
    const { logger } = createLogger();
    await startService(async () => ({ app, listen: { host: '127.0.0.1', port: 0 }, logger }));
    // Waiting for Node's 408 would take as long.
    expect(app.getHttpServer()).toMatchObject({
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
    });
    await app.close();
  });

  it('tells a mistake in the environment without a stack and ends with 1', async () => {
    const start = startService(() => Promise.reject(new ConfigurationError(['SVC_X: required'])));
    await expect(start).rejects.toThrow(ExitError);
    expect(process.exit).toHaveBeenCalledWith(1);
    expect(told).toEqual(['the configuration is not valid:\n  SVC_X: required\n']);
  });

  it('hides credentials in what it tells about any other failure', async () => {
    const start = startService(() => Promise.reject(new Error('cannot reach postgres://app:hush@db')));
    await expect(start).rejects.toThrow(ExitError);
    expect(told.join()).toContain('postgres://app:[redacted]@db');
  });

  it('tells in one sentence that this machine does not have the address', async () => {
    const app = await createApp();
    const { logger } = createLogger();
    // RFC 5737: no machine has an address of 203.0.113.0/24.
    const listen = { host: '203.0.113.1', port: 9091 };
    await expect(startService(async () => ({ app, listen, logger }))).rejects.toThrow(ExitError);
    expect(told).toEqual([
      expect.stringMatching(/^cannot listen on 203\.0\.113\.1:9091: .*; this machine does not have this address\n$/),
    ]);
  });

  it('tells in one sentence that it may not have the port', async () => {
    const app = await createApp();
    const { logger } = createLogger();
    const rejection = Object.assign(new Error('listen EACCES: permission denied :::80'), {
      code: 'EACCES',
      syscall: 'listen',
    });
    jest.spyOn(app, 'listen').mockRejectedValue(rejection);
    await expect(startService(async () => ({ app, listen: { host: '::', port: 80 }, logger }))).rejects.toThrow(
      ExitError,
    );
    expect(told).toEqual([
      'cannot listen on [::]:80: listen EACCES: permission denied :::80; this user may not listen on this port\n',
    ]);
  });

  it('blames the address for nothing that fails before the app listens', async () => {
    const onApplicationBootstrap = () =>
      Promise.reject(
        Object.assign(new Error("EACCES: permission denied, open '/audit'"), { code: 'EACCES', syscall: 'open' }),
      );
    const app = await createApp([{ provide: 'audit', useValue: { onApplicationBootstrap } }]);
    const close = jest.spyOn(app, 'close');
    const { logger } = createLogger();
    const listen = { host: '127.0.0.1', port: 0 };
    await expect(startService(async () => ({ app, listen, logger }))).rejects.toThrow(ExitError);
    expect(close).toHaveBeenCalled();
    expect(told).toEqual(["cannot start: EACCES: permission denied, open '/audit'\n"]);
  });

  it('tells in one sentence which directory cannot be made', async () => {
    const path = join(import.meta.filename, 'data');
    const start = startService(async () => {
      await mkdir(path, { recursive: true });
      throw new Error('the directory was made');
    });
    await expect(start).rejects.toThrow(ExitError);
    expect(told).toEqual([`cannot start: ENOTDIR: not a directory, mkdir '${path}'\n`]);
  });

  it('ends with the status of a signal that comes before there is an app, and leaves later ones to the app', async () => {
    const before = process.listenerCount('SIGTERM');
    const { promise, reject } = Promise.withResolvers<never>();
    const start = startService(() => promise);
    expect(() => process.emit('SIGTERM', 'SIGTERM')).toThrow(ExitError);
    expect(process.exit).toHaveBeenCalledWith(143);
    reject(new ConfigurationError([]));
    await expect(start).rejects.toThrow(ExitError);
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });

  describe('when the address is taken', () => {
    let occupant: Server;
    beforeEach(async () => {
      occupant = createServer().listen(0, '127.0.0.1');
      await once(occupant, 'listening');
    });
    afterEach(() => {
      occupant.close();
    });

    it('says so, closes the app and ends with 1', async () => {
      const app = await createApp();
      const close = jest.spyOn(app, 'close');
      const { port } = occupant.address() as AddressInfo;
      const { logger } = createLogger();
      await expect(startService(async () => ({ app, listen: { host: '127.0.0.1', port }, logger }))).rejects.toThrow(
        ExitError,
      );
      expect(close).toHaveBeenCalled();
      expect(told.join()).toContain(`127.0.0.1:${port}; another process uses this address`);
    });
  });
});
