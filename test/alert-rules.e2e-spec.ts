import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { requireBinary } from './support/test-services.js';

const DIRECTORY = join(import.meta.dirname, '../deploy/prometheus');
const promtool = (...args: string[]) => promisify(execFile)(requireBinary('promtool'), args, { cwd: DIRECTORY });

describe('deploy/prometheus/alerts.yaml', () => {
  it('is what Prometheus takes', async () => {
    const { stdout } = await promtool('check', 'rules', 'alerts.yaml');
    expect(stdout).toContain('SUCCESS');
  });

  it('alerts when it should, and not before', async () => {
    const { stdout } = await promtool('test', 'rules', 'alerts.test.yaml');
    expect(stdout).toContain('SUCCESS');
  });

  it('has a test for every alert', () => {
    const names = (file: string, key: string) =>
      [...readFileSync(join(DIRECTORY, file), 'utf8').matchAll(new RegExp(`${key}: (\\w+)`, 'g'))].map(
        ([, name]) => name,
      );
    expect(new Set(names('alerts.test.yaml', 'alertname'))).toEqual(new Set(names('alerts.yaml', 'alert')));
  });
});
