import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConfigurationError } from './config/configuration.error.js';
import { JsonLogger } from './logging/json-logger.js';
import { startService } from './start-service.js';

class ExitError extends Error {}

async function createApp(): Promise<NestExpressApplication> {
  const module = await Test.createTestingModule({}).compile();
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
