import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ServiceProcess } from './support/service-process.js';
import { environmentOf } from './support/services-under-test.js';
import { until } from './support/until.js';

const MINUTE_MS = 60_000;

describe('SIGTERM while scim-service starts', () => {
  it(
    'ends it and the database that it starts, and does not keep it from starting again',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'palisade-shutdown-'));
      // As root, the database below runs under another account.
      chmodSync(directory, 0o711);
      const environment = environmentOf('scim-service', `embedded:${join(directory, 'postgres')}`);
      const first = await ServiceProcess.spawn('scim-service', environment);
      await until(() => existsSync(join(directory, 'postgres')));
      expect(await first.end('SIGTERM')).toBe(143);
      await using second = await ServiceProcess.spawn('scim-service', environment);
      await second.untilReadiness(200);
      expect(await second.end('SIGTERM')).toBe(0);
      rmSync(directory, { recursive: true, force: true });
    },
    MINUTE_MS,
  );
});
